// deploy, deploys, preview, snapshots
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/deploy_plan.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/stages.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kDeploySeconds = 1800;  // copies of large databases take their time
constexpr const char* kShortIdWords = "The id as the list shows it, or a unique beginning of it";

struct DeployOptions {
    std::string subdomain, id, env, note;
    int limit = 0;
    bool skip_verify = false, preview = false, yes = false, dry = false;
};

std::string not_dev_or_prod(std::string& env) {
    return env == "dev" || env == "prod" ? "" : "\"" + env + "\" is not dev or prod.";
}

// The first counter-example of each check that failed.
void show_verification(const json& report) {
    for (const json& check : report.value("checks", json::array()))
        if (check.contains("pass") && check["pass"] == false)
            print("  " + text_of(check, "name") + ": " + text_of(check, "detail") + "\n");
}

void show_findings(const json& report) {
    for (const json& finding : report.value("errors", json::array()))
        print("  " + text_of(finding, "code") + "  " + text_of(finding, "path") + "  " +
              text_of(finding, "message") + "\n");
}

// Runs a change with its stages; what it answered, or nothing where it was refused and that shown.
std::optional<json> run_change(Session& session, const std::string& what, Request request) {
    request.seconds = kDeploySeconds;
    if (session.wants_json()) return session.accept(session.call(what, request));
    StageView stages;
    json answer;
    request.on_event = [&](const Event& event) {
        json data = json::parse(event.data, nullptr, false);
        if (!data.is_object()) return;
        if (event.name == "stage") return stages.show(data);
        answer = std::move(data);
    };
    const Reply reply =
        Http(session.api(), session.token()).send(request, [&stages] { stages.tick(); });
    stages.finish();
    if (!reply.streamed && reply.trouble.empty()) answer = json::parse(reply.body, nullptr, false);
    if (reply.ok() && answer.is_object() && !answer.contains("code")) return answer;
    if (answer.is_object() && answer.contains("report")) {
        show_verification(answer["report"]);
        show_findings(answer["report"]);
    }
    if (!reply.trouble.empty() || !answer.is_object())
        session.show_refusal(reply);
    else
        session.show_refusal({.status = reply.streamed ? 0 : reply.status, .body = answer.dump()});
    return std::nullopt;
}

// What does not stop it and somebody should look at.
void show_deploy_warnings(const json& answer) {
    for (const json& warning : answer.value("warnings", json::array()))
        if (warning.is_string())
            complain("warning: " + printable(warning.get_ref<const std::string&>()));
}

int deploy(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    json body = json::object();
    if (!options.subdomain.empty()) body["subdomain"] = options.subdomain;
    if (options.skip_verify) body["skipVerify"] = true;
    if (options.preview) body["preview"] = true;
    if (options.dry) return show_deploy_plan(session, project, body);
    if (!session.wants_json()) {
        const int end = plan_deploy(session, project, body, options.yes);
        if (end != kDone) return end;
    }
    const auto answer = run_change(
        session, "Deploying",
        {.method = "POST", .path = project_path(project, "/deploy"), .body = body.dump()});
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const json deployment = answer->value("deployment", json::object());
    print("Version " + std::to_string(deployment.value("version", std::int64_t{0})) +
          " is live at " + text_of(deployment, "url") + "\n");
    show_deploy_warnings(*answer);
    return kDone;
}

int list_deploys(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    std::string query = options.preview ? "?preview=true" : "";
    if (options.limit)
        query +=
            (query.empty() ? "?" : "&") + std::string("limit=") + std::to_string(options.limit);
    const auto answer =
        session.accept(session.call("Asking", {.path = project_path(project, "/deploys" + query)}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    Table table{{"id", "status", "version", "at", "by", "url"}, {}, {false, false, true}};
    for (const json& one : answer->value("deployments", json::array()))
        table.rows.push_back({text_of(one, "id"), text_of(one, "status"),
                              std::to_string(one.value("version", std::int64_t{0})),
                              text_of(one, "createdAt"), text_of(one, "by"), text_of(one, "url")});
    print(table.rows.empty() ? "Nothing has been deployed yet. Deploy with svc deploy\n"
                             : layout(table, terminal_width()));
    return kDone;
}

int roll_back(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const std::string list = project_path(project, "/deploys?limit=100");
    const auto id = whole_id(session, options.id,
                             {{list, list + "&preview=true"}, "deployments", "deployment"});
    if (!id) return kUsage;
    const auto answer = run_change(
        session, "Rolling back",
        {.method = "POST",
         .path = project_path(project, "/deploys/" + base::percent_encoded(*id) + "/rollback"),
         .body = "{}"});
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const json deployment = answer->value("deployment", json::object());
    print("Version " + std::to_string(deployment.value("version", std::int64_t{0})) +
          " is live again at " + text_of(deployment, "url") + ". Rows stayed as they are.\n");
    return kDone;
}

int delete_preview(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const int end = confirm(
        session, "This ends the preview environment. Its rows are lost, and no snapshot is taken.",
        options.yes);
    if (end != kDone) return end;
    const auto answer = session.accept(
        session.call("Deleting", {.method = "DELETE", .path = project_path(project, "/preview")}));
    if (!answer) return kRefused;
    if (!session.wants_json()) print("The preview environment and its rows are deleted.\n");
    return kDone;
}

// 1234567 is "1.2 MB"
std::string size_of(const json& snapshot) {
    double bytes = snapshot.value("bytes", 0.0);
    const char* unit = "B";
    for (const char* next : {"KB", "MB", "GB"}) {
        if (bytes < 1024) break;
        bytes /= 1024;
        unit = next;
    }
    char text[32];
    std::snprintf(text, sizeof text, *unit == 'B' ? "%.0f %s" : "%.1f %s", bytes, unit);
    return text;
}

int list_snapshots(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const std::string query = options.env.empty() ? "" : "?env=" + options.env;
    const auto answer = session.accept(
        session.call("Asking", {.path = project_path(project, "/snapshots" + query)}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    Table table{{"id", "env", "reason", "size", "at", "note"}, {}, {false, false, false, true}};
    for (const json& one : answer->value("snapshots", json::array()))
        table.rows.push_back({text_of(one, "id"), text_of(one, "env"), text_of(one, "reason"),
                              size_of(one), text_of(one, "createdAt"), text_of(one, "note")});
    print(table.rows.empty() ? "No snapshots yet. Take one with svc snapshots create\n"
                             : layout(table, terminal_width()));
    return kDone;
}

int create_snapshot(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    json body = json::object();
    if (!options.env.empty()) body["env"] = options.env;
    if (!options.note.empty()) body["note"] = options.note;
    const auto answer =
        session.accept(session.call("Copying", {.method = "POST",
                                                .path = project_path(project, "/snapshots"),
                                                .body = body.dump(),
                                                .seconds = kDeploySeconds}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const json snapshot = answer->value("snapshot", json::object());
    print("Snapshot " + text_of(snapshot, "id") + " of " + text_of(snapshot, "env") + ", " +
          size_of(snapshot) + ". Restore it with svc snapshots restore " + text_of(snapshot, "id") +
          "\n");
    return kDone;
}

int restore_snapshot(Session& session, const DeployOptions& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const auto id = whole_id(session, options.id,
                             {{project_path(project, "/snapshots")}, "snapshots", "snapshot"});
    if (!id) return kUsage;
    const int end = confirm(session,
                            "This replaces the database with snapshot " + *id +
                                ". Rows written since then leave the database. They are "
                                "kept in another snapshot.",
                            options.yes);
    if (end != kDone) return end;
    const auto answer = run_change(
        session, "Restoring",
        {.method = "POST",
         .path = project_path(project, "/snapshots/" + base::percent_encoded(*id) + "/restore"),
         .body = "{}"});
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const std::string safety = text_of(*answer, "safetySnapshot");
    print("Restored." +
          (safety.empty() ? "" : " The replaced database is kept as snapshot " + safety + ".") +
          "\n");
    if (const std::string warning = text_of(*answer, "warning"); !warning.empty())
        complain(warning);
    return kDone;
}

using Work = int (*)(Session&, const DeployOptions&);

// Chosen where the family's own callback has not been overtaken by one of its commands.
void does(CLI::App* command, Action& chosen, const std::shared_ptr<DeployOptions>& options,
          Work work) {
    command->fallthrough();
    command->callback([&chosen, options, work, command] {
        if (!command->get_subcommands().empty()) return;
        chosen = [options, work](Session& session) { return work(session, *options); };
    });
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

    auto* snapshots = app.add_subcommand("snapshots", "Copy the database, or go back to a copy");
    snapshots->require_subcommand(0, 1);
    snapshots->add_option("--env", options->env, "dev or prod")
        ->check(CLI::Validator(not_dev_or_prod, "{dev,prod}"));
    does(snapshots, chosen, options, list_snapshots);
    does(snapshots->add_subcommand("list", "Newest first"), chosen, options, list_snapshots);
    auto* create =
        snapshots->add_subcommand("create", "Take a snapshot (of prod, unless --env says dev)");
    create->add_option("--note", options->note, "What it is for");
    does(create, chosen, options, create_snapshot);
    auto* restore = snapshots->add_subcommand(
        "restore",
        "Replace the database with a snapshot, after taking a snapshot of what is there");
    restore->add_option("id", options->id, kShortIdWords)->required();
    take_yes(restore, options->yes);
    does(restore, chosen, options, restore_snapshot);
}

}  // namespace svc::cli
