// Signing in by a person at a browser.
#pragma once

#include "cli/context.hpp"

namespace svc::cli {

// Shows the address and the code, opens a browser if `open_browser`, and waits for the decision.
// Returns the exit code.
int login_with_browser(CliContext& context, bool open_browser);

}  // namespace svc::cli
