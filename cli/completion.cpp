#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/command_tree.hpp"

namespace svc::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

// What may stand next: commands, options, and the global options.
std::vector<std::string> next_words(const CommandWords& command, const CommandWords& top) {
    std::vector<std::string> out = command.commands;
    for (const auto& option : command.options)
        out.insert(out.end(), option.names.begin(), option.names.end());
    if (&command == &top) return out;
    for (const auto& option : top.options)
        for (const auto& name : option.names)
            if (name != "--version" && std::find(out.begin(), out.end(), name) == out.end())
                out.push_back(name);
    return out;
}

// The same in bash and zsh but for what the shell calls the words and how it is told the answer.
std::string walk(const std::vector<CommandWords>& tree, const char* words) {
    std::string paths, answers;
    for (const auto& command : tree) {
        if (!command.path.empty())
            paths += (paths.empty() ? "" : "|") + std::string("\" ") + command.path + "\"";
        answers += "        \"" + (command.path.empty() ? "" : " " + command.path) + "\") next=\"" +
                   joined(next_words(command, tree.front())) + "\" ;;\n";
    }
    return std::string("    local place=\"\" word next=\"\"\n    for word in ") + words +
           "; do\n        case \"$place $word\" in\n            " + paths +
           ") place=\"$place $word\" ;;\n        esac\n    done\n    case \"$place\" in\n" +
           answers + "    esac\n";
}

std::string bash_script(const std::vector<CommandWords>& tree) {
    return "# bash completion of svc\n_svc() {\n" +
           walk(tree, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"") +
           "    COMPREPLY=($(compgen -W \"$next\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
           "complete -o default -F _svc svc\n";
}

std::string zsh_script(const std::vector<CommandWords>& tree) {
    return "#compdef svc\n_svc() {\n" + walk(tree, "\"${(@)words[2,CURRENT-1]}\"") +
           "    compadd -- ${=next}\n    [[ $PREFIX == -* ]] || _files\n}\n"
           "if [[ $funcstack[1] == _svc ]]; then _svc \"$@\"; else compdef _svc svc; fi\n";
}

std::string fish_quoted(const std::string& text) {
    std::string out = "'";
    for (char c : text) out.append(c == '\'' || c == '\\' ? "\\" : "").append(1, c);
    return out + "'";
}

// True at a place of the tree: the words before the cursor that are commands are these.
std::string fish_condition(const CommandWords& command) {
    return " -n " + fish_quoted("test (__svc_place) = \"" + command.path + "\"");
}

std::string fish_script(const std::vector<CommandWords>& tree) {
    std::string paths, lines;
    for (const auto& command : tree)
        if (!command.path.empty()) paths += " " + fish_quoted(command.path);
    std::map<std::string, const CommandWords*> by_path;
    for (const auto& command : tree) by_path[command.path] = &command;
    for (const auto& command : tree) {
        for (const auto& below : command.commands) {
            const std::string path = command.path + (command.path.empty() ? "" : " ") + below;
            lines += "complete -c svc -f" + fish_condition(command) + " -a " + below + " -d " +
                     fish_quoted(by_path.at(path)->about) + "\n";
        }
        for (const auto& option : command.options)
            for (const auto& name : option.names)
                lines +=
                    "complete -c svc" +
                    (command.path.empty() ? std::string() : fish_condition(command)) +
                    (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1)) +
                    (option.value.empty() ? "" : " -r") + " -d " + fish_quoted(option.about) + "\n";
    }
    return "# fish completion of svc\nfunction __svc_place\n    set -l place\n"
           "    for word in (commandline -opc)[2..-1]\n"
           "        set -l longer (string join ' ' $place $word)\n        if contains -- $longer" +
           paths +
           "\n            set -a place $word\n        end\n    end\n    string join ' ' $place\n"
           "    or echo\nend\n" +
           lines;
}

}  // namespace

std::string completion_script(const std::string& shell, const CLI::App& app) {
    const auto tree = command_tree(app);
    if (shell == "bash") return bash_script(tree);
    if (shell == "zsh") return zsh_script(tree);
    return fish_script(tree);
}

}  // namespace svc::cli
