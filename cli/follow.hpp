// Prints the events of an app, an entry on each line.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace svc::cli {

void print_entry(const nlohmann::json& entry);

// Prints the entries of this event stream as they come; with --json as they were sent, a line each.
// It returns when the service ends the stream, which is a failure: whoever follows ends the command
// by a signal. The exit code.
int follow(CliContext& context, const std::string& path);

}  // namespace svc::cli
