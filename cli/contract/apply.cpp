// apply
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/contract/base_version.hpp"
#include "cli/contract/change.hpp"
#include "cli/contract/contract_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct Options {
    std::string file = kContractFile;
    bool force = false, dry = false, sql = false;
};

// With --force the contract replaces any live version.
json apply_wishes(const std::string& project, const Options& options) {
    json out = json::object();
    if (options.force) out["force"] = true;
    if (options.dry) out["dryRun"] = true;
    const auto base = base_version(project, options.file);
    if (base && !options.force) out["baseVersion"] = *base;
    return out;
}

// The version that is live in dev; 0: none.
std::optional<std::int64_t> live_version(CliContext& context, const std::string& project) {
    const Reply reply = context.call("Asking", {.path = project_path(project)});
    const json answer = json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !answer.is_object()) {
        context.show_refusal(reply);
        return std::nullopt;
    }
    const json version = answer.value("/environments/dev/contractVersion"_json_pointer, json());
    return version.is_number_integer() ? version.get<std::int64_t>() : 0;
}

// A folder that was linked and never pulled has no record of the live contract of others. Without a
// link, with SVC_PROJECT, a script decides by itself.
bool may_apply(CliContext& context, const std::string& project, const Options& options) {
    if (options.force || options.dry || !is_linked(project)) return true;
    if (base_version(project, options.file)) return true;
    const auto live = live_version(context, project);
    if (!live || *live == 0) return live.has_value();
    context.refuse("Version " + std::to_string(*live) +
                       " is live, and it is not known which version " + options.file +
                       " comes from. Nothing was applied. Get the live contract with svc pull (svc "
                       "pull live.json writes it beside yours; svc pull --merge merges later "
                       "changes), or overwrite it with svc apply --force.",
                   "STALE_CONTRACT");
    return false;
}

// Writes the connector calls that callers of the app may make, for readers of the folder. Once it
// is there, it also says that there are none any more.
void write_allowlist(const json& contract) {
    const char* const path = ".svc/connector-allowlist.json";
    if (!contract.is_object()) return;
    if (!contract.contains("connectors") && !read_file(path)) return;
    const json allow = contract.value("/connectors/allow"_json_pointer, json::array());
    write_file(path, json{{"allow", allow}}.dump(2) + "\n", FileAccess::usual);
}

int apply(CliContext& context, const Options& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_json(context, options.file, FileContent::contract, exit_code);
    if (!file) return exit_code;
    if (!may_apply(context, project, options)) return kRefused;
    const Request request{.method = "POST",
                          .path = project_path(project, "/apply"),
                          .body = contract_body(*file, apply_wishes(project, options)),
                          .seconds = kApplySeconds};
    const auto answer = change(context, request, *file, {options.dry, options.sql});
    if (!answer) return kRefused;
    if (options.dry) return kDone;
    if (remember_base(project, options.file, answer->value("version", std::int64_t{0})))
        write_file(kPulled, file->text, FileAccess::usual);
    write_allowlist(json::parse(file->text, nullptr, false));
    if (!context.wants_json()) print(answers_at(context, project));
    return kDone;
}

}  // namespace

void add_apply_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("apply", "Build the contract and make it live on dev");
    command->add_option("file", options->file, "The contract's file")->type_name(kFile);
    command->add_flag(
        "--force", options->force,
        "Overwrite what others made live, and generated files that were edited by hand");
    command->add_flag("--dry-run", options->dry, "Only show what would change in the database");
    command->add_flag("--sql", options->sql, "Show the SQL statements of each change");
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return apply(context, *options); };
    });
}

}  // namespace svc::cli
