// What runs in stages: a deploy, a rollback, a restore, a verification.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/context.hpp"

namespace svc::cli {

constexpr int kChangeSeconds = 1800;  // copies of large databases take their time

// Runs it and shows its stages under the title `what`: "Deploying". Gives the answer, or
// nothing if the change was refused; the refusal is then shown already.
std::optional<nlohmann::json> run_change(CliContext& context, const std::string& what,
                                         Request request);

}  // namespace svc::cli
