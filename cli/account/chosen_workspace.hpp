// Which workspace a command is about.
#pragma once

#include <functional>
#include <string>

#include "cli/context.hpp"

namespace svc::cli {

// Sends a GET of this path as the account of the command.
using Getter = std::function<Reply(const std::string& path)>;
Getter getter(const CliContext& context);

// The id of the workspace that `wanted` names, by its name or id. Without `wanted`, the workspace
// of the project that is named or that the folder is linked to; without a project, the account's
// only workspace. Empty if no single workspace is meant; the reason is then printed.
std::string chosen_workspace(const CliContext& context, const Getter& get,
                             const std::string& wanted);

}  // namespace svc::cli
