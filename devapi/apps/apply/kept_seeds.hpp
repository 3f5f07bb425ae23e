// Seeds across applies that do not send them: UNCHANGED keeps what is there.
#pragma once

#include <optional>
#include <string>

#include "apps/database/database.hpp"
#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::devapi {

// The contract to keep of `contract`, which `plan` is of: where its seeds are UNCHANGED and the
// contract that `database` follows holds some, it has those, and the plan its hash; the plan still
// makes no rows. Seeds that do not fit any more are a warning. Throws pqxx::failure.
std::string with_kept_seeds(const std::string& contract, const AppsConfig& config,
                            const AppDatabase& database, plan::Plan& plan,
                            diag::Findings& findings);

}  // namespace svc::devapi
