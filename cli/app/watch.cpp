// logs, tail
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/entry.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/follow.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostLogs = 200, kMostTail = 500;

struct WatchOptions {
    std::string kind, since, env, workflow, status;
    int limit = 0;  // 0: the service's own
    bool follow = false;
};

// Followed, runs and their steps come as they go on.
int follow_runs(CliContext& context, const WatchOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string since = options.since.empty() ? "0s" : options.since;
    return follow(context,
                  project_path(project, "/tail" + query_text({{"kind", "runs"},
                                                              {"workflow", options.workflow},
                                                              {"since", since},
                                                              {"limit", limit_text(options.limit)},
                                                              {"env", options.env}})));
}

int logs(CliContext& context, const WatchOptions& options) {
    if (options.follow) return follow_runs(context, options);
    const std::string rest = "/logs" + query_text({{"workflow", options.workflow},
                                                   {"status", options.status},
                                                   {"limit", limit_text(options.limit)},
                                                   {"env", options.env}});
    return show(context, rest, [](const json& answer) {
        const json runs = answer.value("runs", json::array()),
                   notices = answer.value("notifications", json::array());
        if (runs.empty() && notices.empty()) print("No runs and no notifications yet.\n");
        print_list(answer, "runs", {"id", "workflow", "status", "createdAt", "error"});
        if (!runs.empty() && !notices.empty()) print("\n");
        print_list(answer, "notifications", {"createdAt", "to", "title"});
    });
}

int tail(CliContext& context, const WatchOptions& options) {
    const std::string rest = "/tail" + query_text({{"kind", options.kind},
                                                   {"since", options.since},
                                                   {"limit", limit_text(options.limit)},
                                                   {"env", options.env}});
    if (options.follow) {
        const std::string project = context.project();
        return project.empty() ? kUsage : follow(context, project_path(project, rest));
    }
    return show(context, rest, [](const json& answer) {
        for (const json& entry : answer.value("events", json::array())) print_entry(entry);
    });
}

}  // namespace

void add_watch_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<WatchOptions>();
    auto* log = app.add_subcommand("logs", "Show recent runs of workflows, and notifications");
    log->add_option("--workflow", options->workflow, "Only runs of this workflow");
    log->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostLogs));
    log->add_option("--status", options->status, "Only runs with this status")
        ->check(CLI::IsMember(
            {"queued", "running", "waiting", "succeeded", "failed", "dead", "cancelled", "held"}));
    log->add_option("--since", options->since,
                    "With --follow: also show older entries since then: 15m, 2h, 1d");
    log->add_flag("-f,--follow", options->follow, "Show runs and steps as they happen");
    take_environment(log, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return logs(context, *options); };
    });
    auto* command =
        app.add_subcommand("tail", "Show what happened recently, and follow what happens");
    command->add_option("kind", options->kind, "events, requests, errors or runs")
        ->required()
        ->check(CLI::IsMember({"events", "requests", "errors", "runs"}));
    command->add_option("--since", options->since, "15m, 2h, 1d, or a time");
    command->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostTail));
    command->add_flag("-f,--follow", options->follow, "Continue until you interrupt it");
    take_environment(command, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return tail(context, *options); };
    });
}

}  // namespace svc::cli
