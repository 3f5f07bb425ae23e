// Second factors in svc.mfa and svc.backup_code. Each use of a code is one conditional update, so
// of parallel uses only one succeeds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::auth::mfa {

struct Factor {
    std::string secret;  // raw
    bool confirmed = false;
};

// The second factors of an account.
struct Factors {
    std::optional<Factor> totp;  // nothing: no app, and no enrolment in progress
    bool passkey = false;
    bool confirmed() const { return totp && totp->confirmed; }
    bool any() const { return passkey || confirmed(); }
};

class MfaStore {
  public:
    explicit MfaStore(const Context& in);

    Task<identity::Result<Factors>> find(std::string_view account_id);
    // Refuses with MFA_REQUIRED if the account has a second factor and the session has not shown
    // it: a password alone must not enrol another one.
    Task<Done> may_enrol(const Caller& caller);
    // Begins an enrolment, in place of one that was not confirmed. False if one is confirmed.
    Task<identity::Result<bool>> begin(const Call& call, std::string_view secret);
    // Confirms the enrolment with its first code, gives the account these backup codes, and lets
    // the caller's session do everything. Refuses with INVALID_CODE, or with CONFLICT if there is
    // nothing to confirm.
    Task<Done> confirm(const Call& call, std::string_view code,
                       const std::vector<std::string>& backup_codes);
    // Uses up a code of either kind. INVALID_CODE if it is wrong or was used.
    Task<Done> use(std::string_view account_id, std::string_view code);
    Task<Done> remove(const Call& call);  // the app and its backup codes; passkeys stay
    Task<Done> replace_backup_codes(const Call& call, const std::vector<std::string>& codes);

  private:
    std::string hashes(std::string_view account_id, const std::vector<std::string>& codes) const;

    const Context& in_;
    const identity::Sealer sealer_;
};

identity::Refusal invalid_code();

}  // namespace svc::auth::mfa
