// The work of a command, chosen while the command line is read.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"

namespace svc::cli {

// Chosen where the family's own callback has not been overtaken by one of its commands.
template <class Options>
void does(CLI::App* command, Action& chosen, const std::shared_ptr<Options>& options,
          int (*work)(CliContext&, const Options&)) {
    command->fallthrough();
    command->callback([&chosen, options, work, command] {
        if (!command->get_subcommands().empty()) return;
        chosen = [options, work](CliContext& context) { return work(context, *options); };
    });
}

}  // namespace svc::cli
