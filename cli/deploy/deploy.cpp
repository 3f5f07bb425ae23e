// deploy, deploys, preview
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/deploy/chosen_work.hpp"
#include "cli/deploy/deploy_plan.hpp"
#include "cli/deploy/staged_change.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct DeployOptions {
    std::string subdomain, id;
    int limit = 0;
    bool skip_verify = false, preview = false, yes = false, dry = false;
};

// Shows warnings that do not stop the deploy.
void show_deploy_warnings(const json& answer) {
    for (const json& warning : answer.value("warnings", json::array()))
        if (warning.is_string())
            complain("warning: " + printable(warning.get_ref<const std::string&>()));
}

int deploy(CliContext& context, const DeployOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    json body = json::object();
    if (!options.subdomain.empty()) body["subdomain"] = options.subdomain;
    if (options.skip_verify) body["skipVerify"] = true;
    if (options.preview) body["preview"] = true;
    if (options.dry) return show_deploy_plan(context, project, body);
    if (!context.wants_json()) {
        const int end = plan_deploy(context, project, body, options.yes);
        if (end != kDone) return end;
    }
    const auto answer = run_change(
        context, "Deploying",
        {.method = "POST", .path = project_path(project, "/deploy"), .body = body.dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const json deployment = answer->value("deployment", json::object());
    print("Version " + std::to_string(deployment.value("version", std::int64_t{0})) +
          " is live at " + text_of(deployment, "url") + "\n");
    show_deploy_warnings(*answer);
    return kDone;
}

int list_deploys(CliContext& context, const DeployOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    std::string query = options.preview ? "?preview=true" : "";
    if (options.limit)
        query +=
            (query.empty() ? "?" : "&") + std::string("limit=") + std::to_string(options.limit);
    const auto answer =
        context.accept(context.call("Asking", {.path = project_path(project, "/deploys" + query)}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"id", "status", "version", "at", "by", "url"}, {}, {false, false, true}};
    for (const json& one : answer->value("deployments", json::array()))
        table.rows.push_back({text_of(one, "id"), text_of(one, "status"),
                              std::to_string(one.value("version", std::int64_t{0})),
                              text_of(one, "createdAt"), text_of(one, "by"), text_of(one, "url")});
    print(table.rows.empty() ? "Nothing has been deployed yet. Deploy with svc deploy\n"
                             : layout(table, terminal_width()));
    return kDone;
}

int roll_back(CliContext& context, const DeployOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string list = project_path(project, "/deploys?limit=100");
    const auto id = whole_id(context, options.id,
                             {{list, list + "&preview=true"}, "deployments", "deployment"});
    if (!id) return kUsage;
    const auto answer = run_change(
        context, "Rolling back",
        {.method = "POST",
         .path = project_path(project, "/deploys/" + base::percent_encoded(*id) + "/rollback"),
         .body = "{}"});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const json deployment = answer->value("deployment", json::object());
    print("Version " + std::to_string(deployment.value("version", std::int64_t{0})) +
          " is live again at " + text_of(deployment, "url") + ". Rows stayed as they are.\n");
    return kDone;
}

int delete_preview(CliContext& context, const DeployOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const int end = confirm(
        context, "This ends the preview environment. Its rows are lost, and no snapshot is taken.",
        options.yes);
    if (end != kDone) return end;
    const auto answer = context.accept(
        context.call("Deleting", {.method = "DELETE", .path = project_path(project, "/preview")}));
    if (!answer) return kRefused;
    if (!context.wants_json()) print("The preview environment and its rows are deleted.\n");
    return kDone;
}

}  // namespace

void add_deploy_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<DeployOptions>();
    auto* publish = app.add_subcommand("deploy", "Verify the app on dev and publish it");
    publish->add_option(
        "--subdomain", options->subdomain,
        "The name to publish under (default: the current one, or the project's slug)");
    publish->add_flag("--skip-verify", options->skip_verify, "Publish without verifying");
    publish->add_flag(
        "--preview", options->preview,
        "Publish to a separate preview environment with its own database, not to prod");
    publish->add_flag("--dry-run", options->dry, "Only show what would change");
    take_yes(publish, options->yes);
    does(publish, chosen, options, deploy);

    auto* deploys = app.add_subcommand("deploys", "List deployments, or go back to an earlier one");
    deploys->require_subcommand(0, 1);
    deploys->add_option("--limit", options->limit, "How many to show, 1 to 100 (default 20)")
        ->check(CLI::Range(1, 100));
    deploys->add_flag("--preview", options->preview, "Show deployments of the preview environment");
    does(deploys, chosen, options, list_deploys);
    does(deploys->add_subcommand("list", "Newest first"), chosen, options, list_deploys);
    auto* back = deploys->add_subcommand("rollback", "Make an earlier deployment live again");
    back->add_option("id", options->id, kShortIdWords)->required();
    does(back, chosen, options, roll_back);

    auto* preview = app.add_subcommand("preview", "Manage what svc deploy --preview published");
    preview->require_subcommand(1);
    auto* end =
        preview->add_subcommand("delete", "Stop its server and delete its rows and its name");
    take_yes(end, options->yes);
    does(end, chosen, options, delete_preview);
}

}  // namespace svc::cli
