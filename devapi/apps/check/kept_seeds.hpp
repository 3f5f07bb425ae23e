// Seeds in applies that do not send them: UNCHANGED keeps the existing seeds.
#pragma once

#include <optional>
#include <string>

#include "apps/database/database.hpp"
#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::devapi {

// The text of `contract` to store; `plan` is its plan. If its seeds are UNCHANGED, the text has the
// seeds of the contract that `database` follows, and the plan has their hash; the plan still makes
// no rows. If these seeds do not fit the contract any more, a warning is reported. Throws
// pqxx::failure.
std::string with_kept_seeds(const std::string& contract, const AppsConfig& config,
                            const AppDatabase& database, plan::Plan& plan,
                            diag::Findings& findings);

}  // namespace svc::devapi
