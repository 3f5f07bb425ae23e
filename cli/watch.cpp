// logs, tail, run
#include <CLI/CLI.hpp>
#include <memory>

#include "base/percent.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/envelope.hpp"
#include "cli/exit_code.hpp"
#include "cli/follow.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostLogs = 200, kMostTail = 500;

std::string number(int limit) { return limit == 0 ? "" : std::to_string(limit); }

struct WatchOptions {
    std::string kind, since, env, workflow;
    int limit = 0;  // 0: the service's own
    bool follow = false;
};

void print_list(const json& answer, const char* member, const std::vector<std::string>& columns) {
    Table table{columns, {}, {}};
    for (const json& entry : answer.value(member, json::array())) {
        auto& cells = table.rows.emplace_back();
        for (const auto& column : columns) cells.push_back(cell_of(entry.value(column, json())));
    }
    print(table.rows.empty() ? "" : layout(table, terminal_width()));
    if (const auto note = text_of(answer, "note"); !note.empty()) print(note + "\n");
}

// A GET of a path below the project; its answer, where it is one and is to be shown.
int show(Session& session, const std::string& rest, const std::function<void(const json&)>& how) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const auto answer =
        session.accept(session.call("Reading", {.path = project_path(project, rest)}));
    if (!answer) return kRefused;
    if (!session.wants_json()) how(*answer);
    return kDone;
}

int logs(Session& session, const WatchOptions& options) {
    const std::string rest =
        "/logs" + query_text({{"workflow", options.workflow}, {"limit", number(options.limit)}});
    return show(session, rest, [](const json& answer) {
        print_list(answer, "runs", {"id", "workflow", "status", "createdAt", "error"});
        print_list({{"notifications", answer.value("notifications", json::array())}},
                   "notifications", {"createdAt", "to", "title"});
    });
}

int tail(Session& session, const WatchOptions& options) {
    const std::string rest = "/tail" + query_text({{"kind", options.kind},
                                                   {"since", options.since},
                                                   {"limit", number(options.limit)},
                                                   {"env", options.env}});
    if (options.follow) {
        const std::string project = session.project();
        return project.empty() ? kUsage : follow(session, project_path(project, rest));
    }
    return show(session, rest, [](const json& answer) {
        for (const json& entry : answer.value("events", json::array())) print_entry(entry);
    });
}

struct RunOptions {
    std::string id, input, as, env;
    std::vector<std::string> ids;
    int limit = 0;
};

int send(Session& session, const std::string& rest, const json& body,
         const std::function<void(const json&)>& how) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const auto answer = session.accept(session.call(
        "Asking", {.method = "POST", .path = project_path(project, rest), .body = body.dump()}));
    if (!answer) return kRefused;
    if (!session.wants_json()) how(*answer);
    return kDone;
}

int run_workflow(Session& session, const RunOptions& options) {
    json body = json::object();
    if (!options.input.empty()) {
        auto input = json_argument(session, options.input, "--input");
        if (!input) return kUsage;
        body["input"] = std::move(*input);
    }
    if (!options.as.empty()) body["as"] = options.as;
    if (!options.env.empty()) body["env"] = options.env;
    return send(session, "/workflows/" + base::percent_encoded(options.id) + "/run", body,
                [](const json& answer) { print("Run " + text_of(answer, "runId") + "\n"); });
}

int read_run(Session& session, const RunOptions& options) {
    const auto id =
        whole_id(session, options.id,
                 {{project_path(session.named_project(), "/logs?limit=200")}, "runs", "run"});
    if (!id) return kUsage;
    return show(session, "/runs/" + base::percent_encoded(*id) + query_text({{"env", options.env}}),
                [](const json& answer) { print(answer.value("run", answer).dump(2) + "\n"); });
}

int dead_letters(Session& session, const RunOptions& options) {
    return show(
        session,
        "/dead-letters" + query_text({{"limit", number(options.limit)}, {"env", options.env}}),
        [](const json& answer) {
            print_list(answer, "deadLetters",
                       {"jobId", "workflow", "error", "attempts", "failedAt"});
        });
}

int replay(Session& session, const RunOptions& options) {
    json body = json::object();
    const std::string letters = project_path(session.named_project(), "/dead-letters") +
                                query_text({{"limit", "200"}, {"env", options.env}});
    for (const auto& given : options.ids) {
        const auto id = whole_id(session, given, {{letters}, "deadLetters", "job", "jobId"});
        if (!id) return kUsage;
        body["ids"].push_back(*id);
    }
    if (!options.env.empty()) body["env"] = options.env;
    return send(session, "/dead-letters/replay", body, [](const json& answer) {
        print(cell_of(answer.value("replayed", json(0))) + " replayed.\n");
    });
}

void add_run(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<RunOptions>();
    auto* family = app.add_subcommand("run", "Workflows, their runs and dead letters");
    family->require_subcommand(1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(Session&, const RunOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](Session& session) { return act(session, *options); };
        };
    };
    auto* workflow = family->add_subcommand("workflow", "Run a workflow now");
    workflow->add_option("id", options->id, "Id of the workflow")->required();
    workflow->add_option("--input", options->input, "JSON of its input, or @file");
    workflow->add_option("--as", options->as, "The role that it acts as");
    take_environment(workflow, options->env)->callback(choose(run_workflow));
    auto* get = family->add_subcommand("get", "What a run did");
    get->add_option("id", options->id, "Id of the run")->required();
    take_environment(get, options->env)->callback(choose(read_run));
    auto* letters = family->add_subcommand("dead-letters", "Runs that failed for good");
    letters->add_option("--limit", options->limit, "Most to show")->check(CLI::Range(1, kMostLogs));
    take_environment(letters, options->env)->callback(choose(dead_letters));
    auto* again = family->add_subcommand("replay", "Run dead letters again: all, or those named");
    again->add_option("ids", options->ids, "Ids of their jobs");
    take_environment(again, options->env)->callback(choose(replay));
    for (CLI::App* command : {workflow, get, letters, again}) command->fallthrough();
}

}  // namespace

void add_watch_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<WatchOptions>();
    auto* log = app.add_subcommand("logs", "Recent runs of workflows, and notifications");
    log->add_option("--workflow", options->workflow, "Of this workflow alone");
    log->add_option("--limit", options->limit, "Most to show")->check(CLI::Range(1, kMostLogs));
    log->callback([&chosen, options] {
        chosen = [options](Session& session) { return logs(session, *options); };
    });
    auto* command = app.add_subcommand("tail", "What happened just now, and what happens");
    command->add_option("kind", options->kind, "events, requests or errors")
        ->required()
        ->check(CLI::IsMember({"events", "requests", "errors"}));
    command->add_option("--since", options->since, "15m, 2h, 1d, or a time");
    command->add_option("--limit", options->limit, "Most to show")->check(CLI::Range(1, kMostTail));
    command->add_flag("-f,--follow", options->follow, "Go on until you interrupt it");
    take_environment(command, options->env)->callback([&chosen, options] {
        chosen = [options](Session& session) { return tail(session, *options); };
    });
    add_run(app, chosen);
}

}  // namespace svc::cli
