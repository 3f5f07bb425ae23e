// patch
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/contract/base_version.hpp"
#include "cli/contract/change.hpp"
#include "cli/contract/contract_file.hpp"
#include "cli/contract/merge.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

struct PatchOptions {
    std::string file;
    bool force = false, dry = false, sql = false;
};

// The list of a file that is a whole body of the route, {"edits": […]}; else the file's text.
std::string operations_of(const std::string& text) {
    const auto body = nlohmann::json::parse(text, nullptr, false);
    if (!body.is_object() || body.contains("op") || !body.contains("edits")) return text;
    return std::string(member_text(text, "edits"));
}

// The file's own text: numbers and layout of what it adds reach the contract as they are.
std::string patch_body(const std::string& text, std::optional<std::int64_t> base,
                       const PatchOptions& options) {
    const std::string operations = operations_of(text);
    const bool list = operations.find_first_not_of(" \t\r\n") != std::string::npos &&
                      operations[operations.find_first_not_of(" \t\r\n")] == '[';
    return "{\"edits\":" + (list ? operations : "[" + operations + "]") +
           (base && !options.force ? ",\"baseVersion\":" + std::to_string(*base) : "") +
           (options.force ? ",\"force\":true" : "") + (options.dry ? ",\"dryRun\":true" : "") + "}";
}

// Writes the change into the folder's contract too, so that a later apply does not revert it.
std::string take_into_file(CliContext& context, const std::string& project,
                           std::optional<std::int64_t> base) {
    const auto link = find_link(std::filesystem::current_path());
    const auto text = read_file(kContractFile);
    if (!text || !link || link->project != project) return {};
    const std::string file = kContractFile;
    if (!base)
        return file +
               " was not changed, because it is not known which version it comes from. Get the "
               "live contract with svc pull --force.\n";
    if (syntax_error(*text)) return file + " was not changed, because it is not JSON.\n";
    const auto result = merge_file(context, project, {file, *text}, *base, "");
    if (result.end == MergeOutcome::merged)
        return file + (result.own ? " has the patch too, beside its own changes.\n"
                                  : " has the patch too.\n");
    return file + (result.end == MergeOutcome::conflicts
                       ? " was not changed, because it changes the same things. Merge both with "
                         "svc pull --merge.\n"
                       : " was not changed. Merge both with svc pull --merge.\n");
}

int patch(CliContext& context, const PatchOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_json(context, options.file, FileContent::operations, exit_code);
    if (!file) return exit_code;
    const auto base = base_version(project, kContractFile);
    const Request request{.method = "POST",
                          .path = project_path(project, "/patch"),
                          .body = patch_body(file->text, base, options),
                          .seconds = kApplySeconds};
    const auto answer =
        change(context, request, {"the patched contract", ""}, {options.dry, options.sql});
    if (!answer) return kRefused;
    if (options.dry) return kDone;
    const std::string told = take_into_file(context, project, base);
    if (!context.wants_json()) print(told + answers_at(context, project));
    return kDone;
}

}  // namespace

void add_patch_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<PatchOptions>();
    auto* command =
        app.add_subcommand("patch", "Change the live contract by operations, and apply the result");
    command
        ->add_option("ops", options->file, "A JSON file with one operation or a list of operations")
        ->type_name(kFile)
        ->required();
    command->add_flag("--force", options->force,
                      "Apply even if others made something live since then, and overwrite "
                      "generated files that were edited by hand");
    command->add_flag("--dry-run", options->dry, "Only show what would change in the database");
    command->add_flag("--sql", options->sql, "Show the SQL statements of each change");
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return patch(context, *options); };
    });
}

}  // namespace svc::cli
