// apply
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/change.hpp"
#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/contract_file.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

struct Options {
    std::string file = kContractFile;
    bool force = false, dry = false, sql = false;
};

std::vector<std::string> flags(const Options& options) {
    std::vector<std::string> out;
    if (options.force) out.emplace_back("force");
    if (options.dry) out.emplace_back("dryRun");
    return out;
}

int apply(Session& session, const Options& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_contract(session, options.file, exit_code);
    if (!file) return exit_code;
    const Request request{.method = "POST",
                          .path = project_path(project, "/apply"),
                          .body = contract_body(*file, flags(options)),
                          .seconds = kApplySeconds};
    return change(session, request, *file, {options.dry, options.sql});
}

}  // namespace

void add_apply_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("apply", "Build the contract and make it live");
    command->add_option("file", options->file, "The contract's file")->type_name(kFile);
    command->add_flag("--force", options->force,
                      "Overwrite compiled files that were edited by hand");
    command->add_flag("--dry-run", options->dry,
                      "Show what would change in the database; change nothing");
    command->add_flag("--sql", options->sql, "Show the statements of each change");
    command->callback([&chosen, options] {
        chosen = [options](Session& session) { return apply(session, *options); };
    });
}

}  // namespace svc::cli
