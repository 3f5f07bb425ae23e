// patch
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/change.hpp"
#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/contract_file.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

struct PatchOptions {
    std::string file;
    bool force = false, dry = false, sql = false;
};

// The file's own text: numbers and layout of what it adds reach the contract as they are.
std::string patch_body(const std::string& operations, const PatchOptions& options) {
    const bool list = operations.find_first_not_of(" \t\r\n") != std::string::npos &&
                      operations[operations.find_first_not_of(" \t\r\n")] == '[';
    return "{\"edits\":" + (list ? operations : "[" + operations + "]") +
           (options.force ? ",\"force\":true" : "") + (options.dry ? ",\"dryRun\":true" : "") + "}";
}

int patch(Session& session, const PatchOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_contract(session, options.file, exit_code);
    if (!file) return exit_code;
    const Request request{.method = "POST",
                          .path = project_path(project, "/patch"),
                          .body = patch_body(file->text, options),
                          .seconds = kApplySeconds};
    return change(session, request, {"the patched contract", ""}, {options.dry, options.sql});
}

}  // namespace

void add_patch_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<PatchOptions>();
    auto* command =
        app.add_subcommand("patch", "Change the contract that is live by operations, and apply it");
    command->add_option("ops", options->file, "File with a list of operations, or with one")
        ->type_name(kFile)
        ->required();
    command->add_flag("--force", options->force,
                      "Overwrite compiled files that were edited by hand");
    command->add_flag("--dry-run", options->dry,
                      "Show what would change in the database; change nothing");
    command->add_flag("--sql", options->sql, "Show the statements of each change");
    command->callback([&chosen, options] {
        chosen = [options](Session& session) { return patch(session, *options); };
    });
}

}  // namespace svc::cli
