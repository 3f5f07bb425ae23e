// snapshots
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/deploy/chosen_work.hpp"
#include "cli/deploy/staged_change.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct SnapshotOptions {
    std::string id, env, note;
    bool yes = false;
};

std::string not_dev_or_prod(std::string& env) {
    return env == "dev" || env == "prod" ? "" : "\"" + env + "\" is not dev or prod.";
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

int list_snapshots(CliContext& context, const SnapshotOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string query = options.env.empty() ? "" : "?env=" + options.env;
    const auto answer = context.accept(
        context.call("Asking", {.path = project_path(project, "/snapshots" + query)}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"id", "env", "reason", "size", "at", "note"}, {}, {false, false, false, true}};
    for (const json& one : answer->value("snapshots", json::array()))
        table.rows.push_back({text_of(one, "id"), text_of(one, "env"), text_of(one, "reason"),
                              size_of(one), text_of(one, "createdAt"), text_of(one, "note")});
    print(table.rows.empty() ? "No snapshots yet. Take one with svc snapshots create\n"
                             : layout(table, terminal_width()));
    return kDone;
}

int create_snapshot(CliContext& context, const SnapshotOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    json body = json::object();
    if (!options.env.empty()) body["env"] = options.env;
    if (!options.note.empty()) body["note"] = options.note;
    const auto answer =
        context.accept(context.call("Copying", {.method = "POST",
                                                .path = project_path(project, "/snapshots"),
                                                .body = body.dump(),
                                                .seconds = kChangeSeconds}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const json snapshot = answer->value("snapshot", json::object());
    print("Snapshot " + text_of(snapshot, "id") + " of " + text_of(snapshot, "env") + ", " +
          size_of(snapshot) + ". Restore it with svc snapshots restore " + text_of(snapshot, "id") +
          "\n");
    return kDone;
}

// The entry of the list; empty if the list does not have it, which the restore then says.
json find_snapshot(const CliContext& context, const std::string& project, const std::string& id) {
    const Reply reply = context.call("Asking", {.path = project_path(project, "/snapshots")});
    const json answer = json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !answer.is_object()) return json::object();
    for (const json& one : answer.value("snapshots", json::array()))
        if (text_of(one, "id") == id) return one;
    return json::object();
}

// " of Lending Desk"
std::string name_of(const CliContext& context, const std::string& project) {
    const json answer =
        json::parse(context.call("Asking", {.path = project_path(project)}).body, nullptr, false);
    if (!answer.is_object()) return "";
    const std::string name = text_of(answer.value("project", json::object()), "name");
    return name.empty() ? "" : " of " + name;
}

std::string database_of(const json& snapshot) {
    const std::string env = text_of(snapshot, "env");
    return env.empty() ? "the database" : "the " + env + " database";
}

std::string time_of(const json& snapshot) {
    const std::string at = text_of(snapshot, "createdAt");
    return at.empty() ? "" : " of " + at;
}

// What the restore holds back, a line for each kind.
std::string held_lines(const json& answer, const std::string& env) {
    const std::string more = env == "prod" ? " --env prod" : "";
    std::string out;
    const auto add = [&](const char* kind, const char* one, const char* several, const char* what) {
        const auto count = answer.value(kind, std::int64_t{0});
        if (count > 0)
            out += std::to_string(count) + " " + (count == 1 ? one : several) + what + more + "\n";
    };
    const char* const unsent = " had not been sent. To send or drop what is held: svc held";
    add("held", "run", "runs", " had not ended. To continue or drop what is held: svc held");
    add("heldMails", "mail", "mails", unsent);
    add("heldDeliveries", "delivery", "deliveries", unsent);
    return out;
}

int restore_snapshot(CliContext& context, const SnapshotOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto id = whole_id(context, options.id,
                             {{project_path(project, "/snapshots")}, "snapshots", "snapshot"});
    if (!id) return kUsage;
    const json snapshot = find_snapshot(context, project, *id);
    const int end = confirm(context,
                            "This replaces " + database_of(snapshot) + name_of(context, project) +
                                " with snapshot " + *id + time_of(snapshot) +
                                ". Rows written since then leave the database. They are "
                                "kept in another snapshot.",
                            options.yes);
    if (end != kDone) return end;
    const auto answer = run_change(
        context, "Restoring",
        {.method = "POST",
         .path = project_path(project, "/snapshots/" + base::percent_encoded(*id) + "/restore"),
         .body = "{}"});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const std::string safety = text_of(*answer, "safetySnapshot");
    const std::string env = text_of(snapshot, "env");
    print("Restored" + (env.empty() ? "" : " " + env) + "." +
          (safety.empty() ? "" : " The replaced database is kept as snapshot " + safety + ".") +
          "\n");
    print(held_lines(*answer, env));
    if (const std::string warning = text_of(*answer, "warning"); !warning.empty())
        complain(warning);
    return kDone;
}

}  // namespace

void add_snapshot_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<SnapshotOptions>();
    auto* snapshots =
        app.add_subcommand("snapshots", "Copy the database of prod or dev, or go back to a copy");
    snapshots->require_subcommand(0, 1);
    snapshots->add_option("--env", options->env, "dev or prod")
        ->check(CLI::Validator(not_dev_or_prod, "{dev,prod}"));
    does(snapshots, chosen, options, list_snapshots);
    does(snapshots->add_subcommand("list", "Newest first"), chosen, options, list_snapshots);
    auto* create =
        snapshots->add_subcommand("create", "Take a snapshot (of prod, unless --env says dev)");
    create->add_option("--note", options->note, "What the snapshot is for");
    does(create, chosen, options, create_snapshot);
    auto* restore = snapshots->add_subcommand(
        "restore",
        "Replace the database of the snapshot's environment, after taking a snapshot of it");
    restore->add_option("id", options->id, kShortIdWords)->required();
    take_yes(restore, options->yes);
    does(restore, chosen, options, restore_snapshot);
}

}  // namespace svc::cli
