// Finds what an apply would change in the database.
#pragma once

#include <optional>
#include <string>

#include "apps/apps.hpp"
#include "platform/keys/secrets.hpp"

namespace svc::devapi {

// Where an apply, or a deploy, would bring a contract.
struct PreviewOf {
    const AppsConfig& config;
    const Secrets& secrets;
    const ProjectRef& project;
    Env env = Env::dev;
    std::string party;                // the caller (gates/permit.hpp)
    std::optional<std::string> live;  // what is there now
};

// Builds nothing and changes nothing. The outcome names the obstacles, as that of an apply does.
// Blocks; worker threads only.
ApplyOutcome preview(const PreviewOf& of, const std::string& contract, bool sets_secrets,
                     const std::vector<migrate::Replaced>& replaced = {});

}  // namespace svc::devapi
