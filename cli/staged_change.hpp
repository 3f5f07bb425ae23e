// A change that runs in stages: a deploy, a rollback, a restore.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/context.hpp"

namespace svc::cli {

constexpr int kChangeSeconds = 1800;  // copies of large databases take their time

// Runs it and shows its stages; `what` it does, for who waits: "Deploying". What it answered, or
// nothing if it was refused and that shown.
std::optional<nlohmann::json> run_change(CliContext& context, const std::string& what,
                                         Request request);

}  // namespace svc::cli
