// Shows what a deploy will change, before it runs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/context.hpp"

namespace svc::cli {

// Asks the service for the dry run of this deploy and shows it. On a terminal the person must
// confirm, unless `yes`; a first deploy replaces nothing and needs no confirmation. kDone if the
// deploy may continue, also if the dry run failed: the deploy then shows why. Else the exit code.
int plan_deploy(CliContext& context, const std::string& project, nlohmann::json wanted, bool yes);

// The dry run alone: what to exit with.
int show_deploy_plan(CliContext& context, const std::string& project, nlohmann::json wanted);

}  // namespace svc::cli
