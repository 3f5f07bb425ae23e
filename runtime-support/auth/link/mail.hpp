// Mails of accounts: their texts, and the rows of svc.mail that the mailer sends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"

namespace svc::auth::link {

enum class MailKind : std::uint8_t { verify, reset, magic, invite, org_invite, taken, invite_in };

// The name of a kind in svc.mail.
std::string_view name_of(MailKind kind);

// The values for {name} in a text. They are never templates themselves.
struct MailValues {
    std::string_view app;
    std::string link;
    std::string org;    // org_invite
    std::string actor;  // who invites
};

struct Mail {
    std::string subject;
    std::string body;
    std::string links;  // PostgreSQL array text
};

// Makes a mail from the contract's template, or from the standard text if it has none.
Mail compose(const App& app, MailKind kind, const MailValues& values);

// A link on the app's own origin: <origin>/__svc<path>?token=<value>.
std::string link_to(const Context& in, std::string_view path, std::string_view token);

}  // namespace svc::auth::link
