// fish gets every word with the condition for its place.
#include <map>

#include "cli/words/completion.hpp"

namespace svc::cli {
namespace {

std::string fish_quoted(const std::string& text) {
    std::string out = "'";
    for (char c : text) out.append(c == '\'' || c == '\\' ? "\\" : "").append(1, c);
    return out + "'";
}

std::string list(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += " " + fish_quoted(word);
    return out;
}

// `first`: " first" for words that are possible only before the first argument.
std::string line(const CommandHelp& command, const std::string& rest,
                 const std::string& first = "") {
    return "complete -c svc -n " + fish_quoted("__svc_at " + fish_quoted(command.path) + first) +
           rest + "\n";
}

// The values of an option: one of a few, a file, or anything.
std::string value(const OptionHelp& option) {
    std::string choices;
    for (const auto& choice : option.choices) choices += (choices.empty() ? "" : " ") + choice;
    if (!choices.empty()) return " -x -a " + fish_quoted(choices);
    return option.is_file ? " -r -F" : option.value.empty() ? "" : " -x";
}

std::string option_lines(const CommandHelp& command, const OptionHelp& option) {
    std::string out;
    for (const auto& name : option.names)
        out += line(command,
                    (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1)) +
                        value(option) + " -d " + fish_quoted(option.about));
    return out;
}

std::string argument_line(const CommandHelp& command) {
    if (command.arguments.empty()) return {};
    const OptionHelp& first = command.arguments.front();
    if (first.choices.empty() && !first.is_file) return {};
    return line(command, first.is_file ? " -F" : value(first), " first");
}

// The commands among the words before the cursor. The value of an option is not a command.
std::string places(const std::vector<CommandHelp>& tree) {
    std::vector<std::string> paths;
    for (const auto& command : tree)
        if (!command.path.empty()) paths.push_back(command.path);
    return "function __svc_at\n    set -l place\n    set -l behind 0\n    set -l given\n"
           "    for word in (commandline -opc)[2..-1]\n"
           "        if test $behind = 1\n            set behind 0\n            continue\n"
           "        end\n        if contains -- \"$word\"" +
           list(valued_options(tree)) +
           "\n            set behind 1\n            continue\n        end\n"
           "        set -l longer $place $word\n        if contains -- \"$longer\"" +
           list(paths) +
           "\n            set -a place $word\n            set given\n"
           "        else if not string match -qr -- '^-.' \"$word\"\n            set given 1\n"
           "        end\n    end\n"
           "    test \"$place\" = \"$argv[1]\"; and test -z \"$argv[2]\" -o -z \"$given\"\nend\n";
}

}  // namespace

std::string fish_completion(const std::vector<CommandHelp>& tree) {
    std::map<std::string, std::string> about;
    for (const auto& command : tree) about[command.path] = command.about;
    std::string lines;
    for (const auto& command : tree) {
        for (const auto& below : command.commands) {
            const std::string path = command.path + (command.path.empty() ? "" : " ") + below;
            lines += line(command, " -a " + below + " -d " + fish_quoted(about.at(path)));
        }
        for (const auto& option : options_at(command, tree)) lines += option_lines(command, option);
        lines += argument_line(command);
    }
    return "# fish completion of svc\n" + places(tree) + "complete -c svc -f\n" + lines;
}

}  // namespace svc::cli
