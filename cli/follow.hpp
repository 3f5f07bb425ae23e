// Prints the events of an app, an entry on each line.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace svc::cli {

void print_entry(const nlohmann::json& entry);

// Prints the entries of this event stream as they come, until it ends; with --json as they were
// sent, a line each. The exit code.
int follow(CliContext& context, const std::string& path);

}  // namespace svc::cli
