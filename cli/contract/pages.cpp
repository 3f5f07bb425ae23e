// pages: the standard pages of an app, written into its contract
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/contract/contract_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"
#include "cli/terminal.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// Two spaces more in front of each line but the first.
std::string deeper(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out;
}

// The rest of the text stays as its author wrote it.
std::string with_pages(const std::string& text, const std::string& pages) {
    std::string out = text;
    const std::string_view empty = member_text(text, "pages");
    if (!empty.empty()) {
        const auto at = static_cast<std::size_t>(empty.data() - text.data());
        return out.replace(at, empty.size(), pages);
    }
    const std::size_t end = out.rfind('}');
    const std::string rest = out.substr(end);
    out.resize(end);
    out.resize(out.find_last_not_of(" \t\r\n") + 1);
    out += out.ends_with('{') ? "\n" : ",\n";
    return out + "  \"pages\": " + pages + "\n" + rest;
}

int eject(CliContext& context, const std::string& name) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_json(context, name, FileContent::contract, exit_code);
    if (!file) return exit_code;
    const Reply reply =
        context.call("Checking", {.method = "POST",
                                  .path = project_path(project, "/check"),
                                  .body = contract_body(*file, json{{"pages", true}})});
    const auto answer = context.accept(reply);
    if (!answer) return kRefused;
    const json report = answer->value("report", json::object());
    if (!report.value("errors", json::array()).empty()) {
        if (!context.wants_json()) show_report(report, *file);
        return kRefused;
    }
    const json pages = answer->value("pages", json());
    if (!pages.is_array()) {
        context.refuse(name +
                           " has pages of its own. Remove \"pages\" from it to write the "
                           "standard ones.",
                       "CONFLICT");
        return kRefused;
    }
    const std::string text = deeper(member_text(reply.body, "pages"));
    write_file(name, with_pages(file->text, text), FileAccess::usual);
    if (!context.wants_json())
        print("Wrote " + std::to_string(pages.size()) + " pages into " + name +
              ". They are the ones that the app has already: change them, then svc apply.\n");
    return kDone;
}

}  // namespace

void add_pages_command(CLI::App& app, Action& chosen) {
    auto* pages = app.add_subcommand("pages", "Pages of the app");
    pages->require_subcommand(1)->fallthrough();
    auto file = std::make_shared<std::string>(kContractFile);
    auto* command =
        pages->add_subcommand("eject", "Write the app's standard pages into the contract's file");
    command->add_option("file", *file, "The contract's file")->type_name(kFile);
    command->callback([&chosen, file] {
        chosen = [file](CliContext& context) { return eject(context, *file); };
    });
}

}  // namespace svc::cli
