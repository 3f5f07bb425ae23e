// The step between a right password and a session, for every way to sign in; and the check before
// factors are changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "auth/passkey/shown_passkey.hpp"
#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "platform/account/accounts.hpp"

namespace svc::devapi {

// The site that passkeys belong to: the host of the public address. Empty if it is an IP address,
// because browsers allow no passkeys for these.
std::string passkey_site(const Config& config);
// Answers with an error if there is no such site.
void refuse_passkeys(Response& response);

// A sign-in that waits for its factor.
struct FactorChallenge {
    std::string pending;
    bool totp = false;
    std::string passkey_options;  // JSON for the browser; empty: no passkey will do
};
// None: the account has no factor.
std::optional<FactorChallenge> ask_factor(Context& context, const Account& account);

struct FactorResponse {
    std::string pending, code;
    std::optional<auth::passkey::ShownPasskey> passkey;  // in the place of a code
};
struct FactorResult {
    std::optional<Account> account;  // whose factor was right; it may have its session
    Account tried = {};              // whose sign-in it was, if it is known
    Code code = Code::invalid_code;  // of a refusal, with its message
    std::string message = {};
    unsigned retry_after = 0;
};
// Each try counts before it is judged: five a sign-in; in 15 minutes ten wrong ones of an account
// at `remote`'s network, and thirty wherever from.
FactorResult verify_factor(Context& context, const FactorResponse& shown,
                           const std::string& remote);
// Into the audit, as a failed sign-in of its account; of one that is not known, nothing.
void note_failed_factor(Context& context, std::string_view action, const FactorResult& end,
                        const std::string& address);

// Checks that the passkey's answer comes from our page.
identity::Result<void> check_page(const Config& config, const auth::passkey::ClientData& client,
                                  auth::passkey::Ceremony asked);

// Checks that the session of an account with a factor has shown it, before factors are added or
// removed. Returns false if the call was answered.
bool may_change_factors(Context& context, const Request& request, Response& response);

// Counts a code or password that a session shows again; was_right() if it was. Where the session
// has shown a factor it counts by itself: who guesses at sign-ins keeps nobody from changing what
// they guess. False: answered.
bool may_try_again(Context& context, const Request& request, Response& response);
void was_right(Context& context, const Request& request);

// Verifies the caller again before a factor is added or removed: by `code` of the body if the
// account has an authenticator app, else by `password`. False: answered.
bool shows_again(Context& context, const Request& request, Response& response);

// Checks a code of the account; wrong codes are counted. False: answered.
bool takes_code(Context& context, const Request& request, const std::string& code,
                Response& response);

// Answers the refusal as the developer API does.
void refuse_factor(const identity::Refusal& refusal, Response& response);

}  // namespace svc::devapi
