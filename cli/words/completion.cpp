// Completion for bash and zsh: one walk over the words, and the answer in each shell's form.
#include "cli/words/completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/parts.hpp"

namespace svc::cli {
namespace {

using Names = std::vector<std::string>;

// `path` is of the family, or the family itself.
bool is_below(const std::string& path, const std::string& family) {
    return path == family || family.empty() || path.starts_with(family + " ");
}

// Commands and options.
Names next_words(const CommandHelp& command, const std::vector<CommandHelp>& tree) {
    Names out = command.commands;
    for (const auto& option : options_at(command, tree))
        out.insert(out.end(), option.names.begin(), option.names.end());
    return out;
}

// The values of the first argument while it is missing.
std::string first_argument(const CommandHelp& command) {
    if (command.arguments.empty()) return {};
    const OptionHelp& first = command.arguments.front();
    return (first.choices.empty() ? "" : " first=\"" + base::joined(first.choices, " ") + "\"") +
           (first.is_file ? " first_file=1" : "");
}

std::string answer(const Names& next, const std::string& more) {
    return (next.empty() ? "" : " next=\"" + base::joined(next, " ") + "\"") + more + " ;;\n";
}

// The values of a command's options that take one of a few values, or a file.
std::string values_at(const CommandHelp& command, const std::vector<CommandHelp>& tree) {
    std::string out;
    for (const auto& option : options_at(command, tree))
        for (const auto& name : option.names)
            if (!option.choices.empty() || option.is_file)
                out += "        \"" + (command.path.empty() ? "" : " " + command.path) + " = " +
                       name + "\")" + answer(option.choices, option.is_file ? " files=1" : "");
    return out;
}

// The walk is the same in bash and zsh, except for the names of the words and the form of the
// answer. For bash the = of --env=dev is a separate word.
std::string walk(const std::vector<CommandHelp>& tree, const char* words) {
    std::string paths, answers;
    for (const auto& command : tree) {
        if (!command.path.empty())
            paths += (paths.empty() ? "" : "|") + std::string("\" ") + command.path + "\"";
        answers += "        \"" + (command.path.empty() ? "" : " " + command.path) + "\")" +
                   answer(next_words(command, tree), first_argument(command)) +
                   values_at(command, tree);
    }
    return std::string("    local place=\"\" word next=\"\" files=\"\" behind=\"\" given=\"\"") +
           " first=\"\" first_file=\"\"\n" + "    for word in " + words +
           "; do\n        [[ -z $behind ]] || { [[ $word == \"=\" ]] || behind=\"\"; continue; }\n"
           "        case \"$word\" in\n            " +
           base::joined(valued_options(tree), "|") +
           ") behind=\" = $word\"; continue ;;\n            -?*) continue ;;\n        esac\n"
           "        case \"$place $word\" in\n            " +
           paths +
           ") place=\"$place $word\" given=\"\" ;;\n            *) given=1 ;;\n        esac\n"
           "    done\n    case \"$place$behind\" in\n" +
           answers +
           "    esac\n"
           "    [[ -n $given ]] || { next=\"$first${first:+ }$next\"; files=$files$first_file; }\n";
}

}  // namespace

std::vector<OptionHelp> options_at(const CommandHelp& command,
                                   const std::vector<CommandHelp>& tree) {
    std::vector<OptionHelp> out = command.options;
    Names known;
    for (const auto& option : out)
        known.insert(known.end(), option.names.begin(), option.names.end());
    for (auto family = tree.rbegin(); family != tree.rend(); ++family) {
        if (family->path == command.path || !is_below(command.path, family->path)) continue;
        for (OptionHelp option : family->options) {
            std::erase_if(option.names, [&](const std::string& name) {
                return name == "--version" || std::ranges::find(known, name) != known.end();
            });
            known.insert(known.end(), option.names.begin(), option.names.end());
            if (!option.names.empty()) out.push_back(std::move(option));
        }
    }
    return out;
}

std::vector<std::string> valued_options(const std::vector<CommandHelp>& tree) {
    Names out;
    for (const auto& command : tree)
        for (const auto& option : command.options)
            for (const auto& name : option.names)
                if (!option.value.empty() && std::ranges::find(out, name) == out.end())
                    out.push_back(name);
    return out;
}

std::string bash_completion(const std::vector<CommandHelp>& tree) {
    return "# bash completion of svc\n_svc() {\n    local now=\"${COMP_WORDS[COMP_CWORD]}\"\n" +
           walk(tree, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"") +
           "    [[ -z $behind || $now != \"=\" ]] || now=\"\"\n"
           "    COMPREPLY=($(compgen -W \"$next\" -- \"$now\"))\n"
           "    [[ -n $files && $now != -* ]] || return 0\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    local IFS=$'\\n'\n"
           "    COMPREPLY+=($(compgen -f -- \"$now\"))\n}\n"
           "complete -F _svc svc\n";
}

std::string zsh_completion(const std::vector<CommandHelp>& tree) {
    return "#compdef svc\n_svc() {\n" + walk(tree, "\"${(@)words[2,CURRENT-1]}\"") +
           "    [[ -z $next ]] || compadd -- ${=next}\n"
           "    [[ -z $files || $PREFIX == -* ]] || _files\n}\n"
           "if [[ $funcstack[1] == _svc ]]; then _svc \"$@\"; else compdef _svc svc; fi\n";
}

std::string completion_script(const std::string& shell, const CLI::App& app) {
    const auto tree = command_tree(app);
    if (shell == "bash") return bash_completion(tree);
    if (shell == "zsh") return zsh_completion(tree);
    return fish_completion(tree);
}

}  // namespace svc::cli
