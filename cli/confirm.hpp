// Before something is lost: the person says yes, or the command line does.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace svc::cli {

// --yes
void take_yes(CLI::App* command, bool& yes);

// Whether there is a person to ask: a terminal to show the question and to read the answer.
bool is_interactive();

// Asks on a terminal, naming what is lost: "This deletes …". Without a terminal --yes is required.
// kDone if the command may continue; else the exit code, after a message.
int confirm(const CliContext& context, const std::string& what_is_lost, bool yes);

}  // namespace svc::cli
