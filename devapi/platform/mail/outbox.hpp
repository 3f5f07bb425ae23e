// The mails of a project's app, and sign-ins to its dev environment without mail: rows of svc.mail,
// svc.account and svc.token of the app's own database.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace svc::devapi {

struct OutboxQuery {
    std::string to;  // address; empty: any
    int limit = 50;
};
// JSON objects {id, to, subject, text, links, createdAt}, newest first: mails that wait, which is
// all of them while no mail server is set. Throws pqxx::broken_connection.
std::vector<std::string> read_outbox(const std::string& database_url, const OutboxQuery& query);

// JSON objects {as, persona, email, name}: whom a demo sign-in may be made for.
std::vector<std::string> demo_accounts(const std::string& database_url);

struct DemoLink {
    std::string token;  // good once, for 15 minutes, at /__svc/auth/magic/consume
    std::string expires_at;
};
// Makes a link for the account of this address, or for the first account of this persona. A persona
// without an account gets one, demo-<persona>-<random>@example.test. Nothing if there is neither.
std::optional<DemoLink> make_demo_link(const std::string& database_url, const std::string& as);

}  // namespace svc::devapi
