// What is half done of second factors: sign-ins whose password was right and that wait for the
// factor, and challenges for a new passkey. 256 random bits each, of which the database knows the
// SHA-256; each of one use and five minutes.
#pragma once

#include <optional>
#include <string>

#include "platform/accounts.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

inline constexpr int kFactorTries = 5;
inline constexpr int kFactorSeconds = 300;

struct PendingSignIn {
    std::string value;
    std::string challenge;  // what a passkey is to sign
};
PendingSignIn begin_pending(Store& store, const std::string& user_id);

// Counts a try before it is known whether it is right: many at once are no way around the limit.
// None: unknown, over, or tried too often.
std::optional<Account> try_pending(Store& store, const std::string& value);
// Uses the challenge up, whatever comes of it.
bool take_pending_challenge(Store& store, const std::string& value, const std::string& challenge);
// The factor was right. False: somebody else ended it first.
bool end_pending(Store& store, const std::string& value);

std::string registration_challenge(Store& store, const std::string& user_id);
bool take_registration_challenge(Store& store, const std::string& user_id,
                                 const std::string& challenge);

}  // namespace svc::devapi
