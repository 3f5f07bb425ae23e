// Incomplete steps of second factors: sign-ins that wait for the factor after a right password, and
// challenges for a new passkey. Each is 256 random bits, of which the database has the SHA-256;
// each works once within five minutes.
#pragma once

#include <optional>
#include <string>

#include "platform/account/accounts.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

inline constexpr int kFactorTries = 5;
inline constexpr int kFactorSeconds = 300;

struct PendingSignIn {
    std::string value;
    std::string challenge;  // what a passkey is to sign
};
PendingSignIn begin_pending(Store& store, const std::string& user_id);

// Counts a try before it is known whether it is right, so parallel tries cannot pass the limit.
// None: unknown, expired, or tried too often.
std::optional<Account> try_pending(Store& store, const std::string& value);
// Uses up the challenge, also if the check then fails.
bool take_pending_challenge(Store& store, const std::string& value, const std::string& challenge);
// Ends the step after a right factor. Returns false if somebody else ended it first.
bool end_pending(Store& store, const std::string& value);

std::string registration_challenge(Store& store, const std::string& user_id);
bool take_registration_challenge(Store& store, const std::string& user_id,
                                 const std::string& challenge);

}  // namespace svc::devapi
