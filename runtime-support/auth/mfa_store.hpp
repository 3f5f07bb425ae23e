// Second factors in svc.mfa and svc.backup_code. What uses a code up is one conditional update
// each: of any number of uses at a time, one succeeds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"
#include "identity/sealer.hpp"

namespace svc::auth {

struct Factor {
    std::string secret;  // raw
    bool confirmed = false;
};

class MfaStore {
  public:
    explicit MfaStore(const Context& in);

    // Nothing where the account has none, nor began to enrol one.
    Task<identity::Result<std::optional<Factor>>> find(std::string_view account_id);
    // Begins an enrolment, in place of one that was not confirmed. False where one is confirmed.
    Task<identity::Result<bool>> begin(std::string_view account_id, std::string_view secret);
    // Confirms it with the step of its first code, gives the account these backup codes, and lets
    // the session of this hash do everything. False where there is nothing to confirm.
    Task<identity::Result<bool>> confirm(const Call& call, std::int64_t step,
                                         const std::vector<std::string>& backup_codes);
    // Uses up a code of either kind. INVALID_CODE where it is wrong or was used.
    Task<Done> use(std::string_view account_id, std::string_view code);
    Task<Done> remove(const Call& call);
    Task<Done> replace_backup_codes(const Call& call, const std::vector<std::string>& codes);

  private:
    std::string hashes(std::string_view account_id, const std::vector<std::string>& codes) const;

    const Context& in_;
    const identity::Sealer sealer_;
};

identity::Refusal invalid_code();

}  // namespace svc::auth
