// The words that are possible at a place of a command line, for the scripts that complete it.
#pragma once

#include <string>
#include <vector>

#include "cli/words/command_tree.hpp"

namespace svc::cli {

// Its own, those of the families that it is below, and the global ones: all of them may stand
// behind it. Each name once.
std::vector<OptionHelp> options_at(const CommandHelp& command,
                                   const std::vector<CommandHelp>& tree);
// Names of options that a value follows: it is not a command, whatever it is called.
std::vector<std::string> valued_options(const std::vector<CommandHelp>& tree);

std::string bash_completion(const std::vector<CommandHelp>& tree);
std::string zsh_completion(const std::vector<CommandHelp>& tree);
std::string fish_completion(const std::vector<CommandHelp>& tree);

}  // namespace svc::cli
