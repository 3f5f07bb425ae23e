// What a deploy changes, shown before it is done.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/session.hpp"

namespace svc::cli {

// Asks the service for the dry run of this deploy and shows it. On a terminal the person says yes,
// unless `yes`; a first deploy replaces nothing and is not asked about. kDone where the deploy may
// go on, also where the service cannot tell: the deploy itself is told why. Else what to exit with.
int plan_deploy(Session& session, const std::string& project, nlohmann::json wish, bool yes);

// The dry run alone: what to exit with.
int show_deploy_plan(Session& session, const std::string& project, nlohmann::json wish);

}  // namespace svc::cli
