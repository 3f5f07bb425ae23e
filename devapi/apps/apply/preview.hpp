// What an apply would change in the database.
#pragma once

#include <optional>
#include <string>

#include "apps/apps.hpp"
#include "platform/secrets.hpp"

namespace svc::devapi {

// Builds nothing and changes nothing. What is in the way is in the outcome, as of an apply; `live`
// is what exposure is compared with. Blocks; worker threads only.
ApplyOutcome preview(const AppsConfig& config, const Secrets& secrets, const ProjectRef& project,
                     const std::optional<std::string>& live, const std::string& contract,
                     bool sets_secrets, const std::vector<migrate::Replaced>& replaced = {});

}  // namespace svc::devapi
