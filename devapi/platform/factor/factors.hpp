// Second factors of builders: an authenticator app (TOTP) with its backup codes. Passkeys are in
// platform/factor/passkeys.hpp. The app's secret is sealed under a key that is made from the master
// key.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

struct EnrolledFactors {
    bool totp = false;
    int backup_codes = 0;  // left
    int passkeys = 0;

    bool any() const { return totp || passkeys > 0; }
};

class Factors {
  public:
    Factors(Store& store, const std::string& master_key);

    EnrolledFactors of(const std::string& user_id) const;

    // Makes a new secret, raw, which becomes valid when it is confirmed. None if an app is
    // confirmed already.
    std::optional<std::string> begin(const std::string& user_id);
    // Ends the account's other sessions, and sign-ins of clients that wait for its decision; from
    // here on the session has shown the factor. False: the code is wrong, or nothing was begun.
    bool confirm(const std::string& user_id, const std::string& session_id, const std::string& code,
                 const std::vector<std::string>& backup_codes);
    // Uses up a code of either kind. False: it is wrong, or was used.
    bool use(const std::string& user_id, const std::string& code);
    void replace_backup_codes(const std::string& user_id,
                              const std::vector<std::string>& backup_codes);
    // Removes the authenticator app and its backup codes. Ends the other sessions.
    void remove(const std::string& user_id, const std::string& session_id);

    // Seals all values of `old` again under this key, all or none. Returns their number.
    std::size_t reseal(const Factors& old);

  private:
    struct Secret {
        std::string raw;  // empty: it does not open
        bool confirmed = false;
    };
    std::optional<Secret> secret_of(const std::string& user_id) const;

    Store& store_;
    const std::string key_, key_id_;
};

// After a change of factors: ends the account's other sessions (`session_id` stays; empty: none
// stays), and client logins that these could approve. The remaining session counts as verified with
// a factor.
void end_others(pqxx::work& tx, const std::string& user_id, const std::string& session_id);

// Takes all factors off an account and ends its sessions: for the operator. False: unknown address.
bool reset_factors(Store& store, const std::string& email);

}  // namespace svc::devapi
