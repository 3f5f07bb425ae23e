// Follows an event stream of the developer API until the user interrupts it.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace svc::cli {

// Prints the entries of this event stream as they come; with --json as they were sent, a line each.
// A stream that ends is opened again where it was, as often as the service goes away. Returns, with
// a failure, if the first try fails, if the service refuses, or if it stays away
// (cli/app/patience.hpp).
int follow(CliContext& context, const std::string& path);

}  // namespace svc::cli
