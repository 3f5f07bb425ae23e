// svc: reads the command line, runs one command, answers with an exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/version.hpp"
#include "cli/words/command_tree.hpp"
#include "diag/finding.hpp"

namespace svc::cli {
namespace {

constexpr const char* kFooter =
    "Environment: SVC_API (base URL), SVC_TOKEN (used instead of the saved sign-in), SVC_PROJECT,\n"
    "SVC_CONFIG (file of the saved sign-in).\n"
    "Exit codes: 0 success, 1 the service refused, 2 the command line is wrong.";

// In the order in which help lists them.
using AddCommands = void (*)(CLI::App& app, Action& chosen);
constexpr AddCommands kFamilies[] = {
    add_account_commands,  add_mfa_commands,    add_project_commands,   add_status_command,
    add_contract_commands, add_apply_command,   add_patch_command,      add_deploy_commands,
    add_snapshot_commands, add_verify_command,  add_data_commands,      add_sql_command,
    add_row_commands,      add_watch_commands,  add_run_commands,       add_held_commands,
    add_hook_commands,     add_ai_commands,     add_pay_commands,       add_files_commands,
    add_topic_commands,    add_people_commands, add_pages_command,      add_screenshot_command,
    add_secret_commands,   add_domain_commands, add_audit_command,      add_key_commands,
    add_token_commands,    add_member_commands, add_live_file_commands, add_help_commands,
    add_manual_commands};

void add_everything(CLI::App& app, Flags& flags, Action& chosen) {
    app.require_subcommand(0, 1);
    app.allow_extras();  // so that what is unknown is reported with what was meant
    app.set_version_flag("--version", kVersionLine);
    app.add_flag("--json", flags.json, "Print the service's own JSON, errors as well");
    app.add_option("--project", flags.project, "Id of the project");
    app.add_option("--api", flags.api, "Base URL of the service");
    app.footer(kFooter);
    for (const AddCommands add : kFamilies) add(app, chosen);
    add_examples(app);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        command->fallthrough();  // global flags may follow the command
    }
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

int explain_usage(const std::string& what, const std::string& word,
                  const std::vector<std::string>& candidates, const std::string& help) {
    const std::string near = diag::nearest(word, candidates);
    complain(what + (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
    std::fprintf(stderr, "  %s\n", help.c_str());
    return kUsage;
}

// An option of a command is known only after that command.
int explain_option(const CLI::App& app, const std::string& word, const std::string& help) {
    const std::string name = word.substr(0, word.find('='));
    auto names = option_names(app);
    std::string commands = "svc";
    const CLI::App* command = &app;
    for (auto used = command->get_subcommands(); !used.empty(); used = command->get_subcommands()) {
        command = used.front();
        commands += " " + command->get_name();
        const auto own = option_names(*command);
        if (std::find(own.begin(), own.end(), name) != own.end())
            return explain_usage(
                "The option " + name + " belongs after the command: " + commands + " " + name + ".",
                "", {}, help);
        names.insert(names.end(), own.begin(), own.end());
    }
    return explain_usage("Unknown option \"" + word + "\".", name, names, help);
}

int explain_unknown(const CLI::App& app, const std::string& word) {
    const auto used = app.get_subcommands();
    const CLI::App* command = used.empty() ? nullptr : used.front();
    const std::string help =
        command == nullptr ? "See: svc --help" : "See: svc " + command->get_name() + " --help";
    if (word.rfind('-', 0) == 0) return explain_option(app, word, help);
    if (command == nullptr) {
        return explain_usage("Unknown command \"" + word + "\".", word, command_names(app), help);
    }
    return explain_usage("Unexpected \"" + word + "\" after svc " + command->get_name() + ".", "",
                         {}, help);
}

// The command that was named last, as its user writes it: "svc files".
struct Named {
    const CLI::App* command;
    std::string words;
};
Named named_last(const CLI::App& app) {
    Named out{&app, "svc"};
    for (auto used = app.get_subcommands(); !used.empty(); used = out.command->get_subcommands()) {
        out.command = used.front();
        out.words += " " + out.command->get_name();
    }
    return out;
}

// "kind: thing not in {events,runs}", "--to: 1 required TEXT missing": the library's words.
int explain_value(const std::string& what, const std::string& help) {
    const auto colon = what.find(": "), among = what.find(" not in {");
    const std::string sentence = what.ends_with('.') ? what : what + '.';
    if (colon == std::string::npos) return explain_usage(sentence, "", {}, help);
    const std::string name = what.substr(0, colon);
    if (what.find("required") != std::string::npos && what.ends_with(" missing"))
        return explain_usage(name + " needs a value.", "", {}, help);
    if (among == std::string::npos) return explain_usage(sentence, "", {}, help);
    const std::string given = what.substr(colon + 2, among - colon - 2);
    std::vector<std::string> known;
    std::string listed;
    std::stringstream words(what.substr(among + 9, what.size() - among - 10));
    for (std::string word; std::getline(words, word, ',');) {
        listed += (listed.empty() ? "" : ", ") + word;
        known.push_back(word);
    }
    return explain_usage(name + " cannot be \"" + given + "\". It is one of " + listed + ".", given,
                         known, help);
}

int explain_missing(const CLI::App& app, const std::string& what, bool subcommand) {
    const Named last = named_last(app);
    if (!subcommand) return explain_value(what, "See: " + last.words + " --help");
    const auto all = last.command->get_subcommands([](const CLI::App*) { return true; });
    complain(last.words + " needs one of these words after it:");
    std::size_t width = 0;
    for (const CLI::App* each : all) width = std::max(width, each->get_name().size());
    for (const CLI::App* each : all)
        std::fprintf(stderr, "  %-*s  %s\n", static_cast<int>(width), each->get_name().c_str(),
                     each->get_description().c_str());
    std::fprintf(stderr, "  See: %s --help\n", last.words.c_str());
    return kUsage;
}

int run(int argc, char** argv) {
    CLI::App app{"svc: the client of the application backend service", "svc"};
    Flags flags;
    Action chosen;
    add_everything(app, flags, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        const auto unknown = app.remaining();
        if (!unknown.empty()) return explain_unknown(app, unknown.front());
        const std::string what = error.what();
        return explain_missing(app, what, what == "A subcommand is required");
    }
    if (const auto unknown = app.remaining(); !unknown.empty()) {
        return explain_unknown(app, unknown.front());
    }
    if (!chosen) {
        std::fputs(app.help().c_str(), stderr);
        return kUsage;
    }
    CliContext context(flags);
    return chosen(context);
}

}  // namespace
}  // namespace svc::cli

int main(int argc, char** argv) {
    try {
        return svc::cli::run(argc, argv);
    } catch (const std::exception& error) {
        svc::cli::complain(error.what());
        return svc::cli::kRefused;
    }
}
