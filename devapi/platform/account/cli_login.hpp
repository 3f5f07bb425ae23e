// Clients that are signed in by a person at a browser: the device flow (RFC 8628).
#pragma once

#include <optional>
#include <string>

#include "platform/account/accounts.hpp"
#include "platform/account/credentials.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct DeviceLogin {
    std::string device_code;  // the client's secret, kept nowhere
    std::string user_code;    // XXXX-XXXX, which the person compares
};
// Valid for ten minutes. `client` is the name that the client gave itself.
DeviceLogin begin_login(Store& store, const std::string& client, const std::string& address);

// A login that waits for a decision, as the person sees it.
struct PendingLogin {
    std::string id, client, address;
    std::string user_code;  // as the client shows it
};
// Finds a login by its code, in any case, with or without its hyphen.
std::optional<PendingLogin> find_pending_login(Store& store, const std::string& user_code);

// Makes a ticket with which this account may decide once, within five minutes and the time of the
// login. Returns its value; empty if the login has ended, or if the account has a second factor
// that was not shown. A new ticket ends earlier ones.
std::string make_ticket(Store& store, const std::string& login_id, const std::string& user_id,
                        bool second_factor);

struct Decision {
    std::string ticket;
    bool approved = false;
    std::string workspace_id;  // that the client's token is for; approved only
};
// The account that decided; none if the ticket is not valid, or the account is not in the workspace
// or lacks the second factor that it demands.
std::optional<Account> decide(Store& store, const Decision& decision);

struct Poll {
    enum class State { pending, too_soon, refused, unknown, approved } state = State::unknown;
    std::string user_id, email, workspace_id;  // approved: this answer alone has them
};
constexpr int kPollSeconds = 2;
Poll poll_login(Store& store, const std::string& device_code);

}  // namespace svc::devapi
