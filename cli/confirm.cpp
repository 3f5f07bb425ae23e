#include "cli/confirm.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cli/account/ask.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {

void take_yes(CLI::App* command, bool& yes) {
    command->add_flag("--yes", yes, "Do not ask for confirmation");
}

// If standard error is not a terminal, nobody would see the question.
bool is_interactive() { return is_terminal(Stream::err) && ::isatty(STDIN_FILENO) != 0; }

int confirm(const CliContext& context, const std::string& what_is_lost, bool yes) {
    if (yes) return kDone;
    if (!is_interactive()) {
        context.refuse(
            what_is_lost + " On a terminal it asks first. Without a terminal it needs --yes.",
            "BAD_REQUEST");
        return kUsage;
    }
    const auto answer = ask(what_is_lost + " Go on? [y/N]", false).value_or("");
    if (answer == "y" || answer == "Y" || answer == "yes") return kDone;
    context.refuse("Nothing was changed.", "NOT_CONFIRMED");
    return kRefused;
}

}  // namespace svc::cli
