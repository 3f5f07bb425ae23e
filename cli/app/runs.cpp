// run (release: cli/deploy/held.cpp), workflows
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/percent.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/app/trigger_words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostRuns = 200;

struct RunOptions {
    std::string id, input, row, old, as, env;
    std::vector<std::string> ids;
    int limit = 0;
};

int run_workflow(CliContext& context, const RunOptions& options) {
    json body = json::object();
    if (!options.input.empty()) {
        auto input = json_argument(context, options.input, "--input");
        if (!input) return kUsage;
        body["input"] = std::move(*input);
    }
    if (!options.row.empty()) body["row"] = options.row;
    if (!options.old.empty()) {
        auto old = json_argument(context, options.old, "--old");
        if (!old) return kUsage;
        body["old"] = std::move(*old);
    }
    if (!options.as.empty()) body["as"] = options.as;
    if (!options.env.empty()) body["env"] = options.env;
    return send(context, "/workflows/" + base::percent_encoded(options.id) + "/run", body,
                [](const json& answer) {
                    const bool earlier = answer.value("earlier", false);
                    print("Run " + text_of(answer, "runId") +
                          (earlier ? ": it was there before, and has the same key" : "") + "\n");
                });
}

int read_run(CliContext& context, const RunOptions& options) {
    return show(context,
                "/runs/" + base::percent_encoded(options.id) + query_text({{"env", options.env}}),
                [](const json& answer) { print(answer.value("run", answer).dump(2) + "\n"); });
}

int dead_letters(CliContext& context, const RunOptions& options) {
    return show(
        context,
        "/dead-letters" + query_text({{"limit", limit_text(options.limit)}, {"env", options.env}}),
        [](const json& answer) {
            if (answer.value("deadLetters", json::array()).empty()) print("No dead letters.\n");
            print_list(answer, "deadLetters",
                       {"jobId", "workflow", "error", "attempts", "failedAt"});
        });
}

int replay(CliContext& context, const RunOptions& options) {
    json body = json::object();
    if (!options.ids.empty()) body["ids"] = options.ids;
    if (!options.env.empty()) body["env"] = options.env;
    return send(context, "/dead-letters/replay", body, [](const json& answer) {
        print(cell_of(answer.value("replayed", json(0))) + " replayed.\n");
    });
}

int cancel(CliContext& context, const RunOptions& options) {
    json body = json::object();
    if (!options.env.empty()) body["env"] = options.env;
    return send(
        context, "/runs/" + base::percent_encoded(options.id) + "/cancel", body,
        [](const json& answer) { print("Cancelled " + text_of(answer, "cancelled") + ".\n"); });
}

// The runs that a restore stopped, and the command that continues them.
std::string held_words(const json& workflows, const std::string& env) {
    std::string out;
    for (const json& one : workflows)
        if (const int held = one.value("held", 0); held > 0)
            out += (out.empty() ? "" : ", ") + std::to_string(held) + " of " + text_of(one, "id");
    if (out.empty()) return out;
    return "Held since a restore: " + out + ". To let them go on: svc held release runs" +
           (env.empty() ? "" : " --env " + env) + "\n";
}

int list_workflows(CliContext& context, const RunOptions& options) {
    return show(
        context, "/workflows" + query_text({{"env", options.env}}), [&options](const json& answer) {
            Table table{
                {"workflow", "starts on", "live", "dead", "last"}, {}, {false, false, true, true}};
            for (const json& one : answer.value("workflows", json::array()))
                table.rows.push_back({text_of(one, "id"),
                                      trigger_words(one.value("trigger", json::object())),
                                      cell_of(one.value("live", json())),
                                      cell_of(one.value("dead", json())), text_of(one, "lastAt")});
            print(table.rows.empty() ? "The contract has no workflows.\n"
                                     : layout(table, terminal_width()));
            print(held_words(answer.value("workflows", json::array()), options.env));
            print(schedule_lines(answer.value("workflows", json::array()), "id"));
        });
}

void add_workflows(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<RunOptions>();
    auto* list = app.add_subcommand(
        "workflows", "List workflows, what starts them, and how their runs are doing");
    take_environment(list, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return list_workflows(context, *options); };
    });
}

void add_run(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<RunOptions>();
    auto* family = app.add_subcommand("run", "Run workflows, and see their runs and dead letters");
    family->require_subcommand(1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(CliContext&, const RunOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    auto* workflow = family->add_subcommand("workflow", "Run a workflow now");
    workflow->add_option("id", options->id, "Id of the workflow")->required();
    workflow->add_option("--input", options->input, "JSON of the workflow's input, or @file");
    workflow->add_option("--row", options->row,
                         "Id of the row that the run is about, if a row starts the workflow");
    workflow->add_option("--old", options->old,
                         "JSON of values that the row had before it changed, or @file");
    workflow->add_option("--as", options->as, "The role that the run acts as");
    take_environment(workflow, options->env)->callback(choose(run_workflow));
    auto* get = family->add_subcommand("get", "Show what a run did");
    get->add_option("id", options->id, "Id of the run")->required();
    take_environment(get, options->env)->callback(choose(read_run));
    auto* letters = family->add_subcommand("dead-letters", "List runs that failed for good");
    letters->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostRuns));
    take_environment(letters, options->env)->callback(choose(dead_letters));
    auto* again =
        family->add_subcommand("replay", "Run dead letters again: all, or the named ones");
    again->add_option("ids", options->ids, "Ids of the jobs");
    take_environment(again, options->env)->callback(choose(replay));
    auto* stop = family->add_subcommand("cancel", "Cancel a run; what it has done is not undone");
    stop->add_option("id", options->id, "Id of the run")->required();
    take_environment(stop, options->env)->callback(choose(cancel));
    for (CLI::App* command : {workflow, get, letters, again, stop}) command->fallthrough();
}

}  // namespace

void add_run_commands(CLI::App& app, Action& chosen) {
    add_run(app, chosen);
    add_workflows(app, chosen);
}

}  // namespace svc::cli
