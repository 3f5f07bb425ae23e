// completion, man
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/version.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

// Text of roff: a line that begins with a dot or a quote is a request, a backslash an escape.
std::string roff(const std::string& text) {
    std::string out;
    bool start = true;
    for (char c : text) {
        if (start && (c == '.' || c == '\'')) out += "\\&";
        start = c == '\n';
        out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
    }
    return out;
}

std::string option_lines(const std::vector<OptionHelp>& options) {
    std::string out;
    for (const auto& option : options) {
        std::string names;
        for (const auto& name : option.names) names += (names.empty() ? "" : ", ") + name;
        out += ".TP\n\\fB" + roff(names) + "\\fR" +
               (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR") + "\n" +
               roff(option.about) + "\n";
    }
    return out;
}

std::string synopsis(const CommandHelp& command) {
    std::string out = "svc " + command.path;
    for (const auto& argument : command.arguments)
        out += argument.required ? " <" + argument.names[0] + ">" : " [" + argument.names[0] + "]";
    if (!command.commands.empty()) out += " <command>";
    return out;
}

std::string command_section(const CommandHelp& command) {
    std::string out = ".SS \"" + roff(synopsis(command)) + "\"\n" + roff(command.about) + ".\n" +
                      option_lines(command.arguments) + option_lines(command.options);
    if (const auto examples = examples_of(command.path); !examples.empty())
        out += ".PP\n.nf\n" + roff(examples) + ".fi\n";
    return out;
}

int print_text(const std::string& text) {
    print(text);
    return kDone;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    const auto tree = command_tree(app);
    std::string out = ".TH SVC 1 \"\" \"" + std::string(kVersionLine) +
                      "\" \"User Commands\"\n.SH NAME\nsvc \\- " +
                      roff("the client of the application backend service") +
                      "\n.SH SYNOPSIS\n.B svc\n[\\fIoptions\\fR] \\fIcommand\\fR\n.SH OPTIONS\n" +
                      option_lines(tree.front().options) + ".SH COMMANDS\n";
    for (const auto& command : tree)
        if (!command.path.empty()) out += command_section(command);
    return out +
           ".SH ENVIRONMENT\n.TP\n\\fBSVC_API\\fR\nBase URL of the developer API.\n"
           ".TP\n\\fBSVC_TOKEN\\fR\nUsed instead of the saved sign\\-in.\n"
           ".TP\n\\fBSVC_PROJECT\\fR\nId of the project.\n"
           ".TP\n\\fBSVC_CONFIG\\fR\nFile of the saved sign\\-in.\n"
           ".TP\n\\fBNO_COLOR\\fR\nIf it is set, nothing is coloured.\n"
           ".SH FILES\n.TP\n\\fI.svc/project.json\\fR\nThe project of a folder.\n"
           ".TP\n\\fIsvc.json\\fR\nThe contract.\n"
           ".SH \"EXIT STATUS\"\n0 success, 1 the service refused, 2 the command line is wrong.\n";
}

void add_manual_commands(CLI::App& app, Action& chosen) {
    auto shell = std::make_shared<std::string>();
    auto* completion =
        app.add_subcommand("completion", "Print the shell completion of this client");
    completion->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->callback([&app, &chosen, shell] {
        chosen = [&app, shell](CliContext&) { return print_text(completion_script(*shell, app)); };
    });
    app.add_subcommand("man", "Print this client's manual, for man(1)")->callback([&app, &chosen] {
        chosen = [&app](CliContext&) { return print_text(manual_page(app)); };
    });
}

}  // namespace svc::cli
