// The commands as data, read off the parser: what completion, the manual and examples are made
// from.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace svc::cli {

// The type of options and arguments that name a file, as the help shows it.
inline constexpr const char* kFile = "FILE";

struct OptionHelp {
    std::vector<std::string> names;  // --where, -f
    std::string value;               // what follows it; empty: nothing
    std::string about;
    bool required = false;
    std::vector<std::string> choices = {};  // what it takes; empty: more than can be listed
    bool is_file = false;                   // a file's name
};

struct CommandHelp {
    std::string path;  // "secrets set"; empty: svc itself
    std::string about;
    std::vector<OptionHelp> options;
    std::vector<OptionHelp> arguments;  // by place; one name each
    std::vector<std::string> commands;  // below it
};

// svc itself first, each family before its members.
std::vector<CommandHelp> command_tree(const CLI::App& app);

// The examples below the help of a command: whole command lines. Empty if there are none.
std::string examples_of(const std::string& path);
// Puts them into the help of each command.
void add_examples(CLI::App& app);

std::string completion_script(const std::string& shell, const CLI::App& app);  // bash, zsh, fish
std::string manual_page(const CLI::App& app);                                  // roff, section 1

}  // namespace svc::cli
