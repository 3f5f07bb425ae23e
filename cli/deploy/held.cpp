// held, run release
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/deploy/chosen_work.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostHeld = 200;

struct HeldOptions {
    std::string kind, env;
    std::vector<std::string> ids;
    int limit = 0;
    bool yes = false;
};

int list_held(CliContext& context, const HeldOptions& options) {
    const std::string rest =
        "/held" + query_text({{"limit", limit_text(options.limit)}, {"env", options.env}});
    return show(context, rest, [](const json& answer) {
        bool none = true;
        const json counts = answer.value("counts", json::object());
        for (const auto& [kind, count] : counts.items()) {
            if (count == 0) continue;
            none = false;
            print("Held since a restore, " + kind + ": " + count.dump() + "\n");
        }
        if (none) return print("Nothing is held.\n");
        print_list(answer, "runs", {"id", "workflow", "trigger", "createdAt"});
        print_list(answer, "mails", {"id", "to", "subject", "createdAt"});
        print_list(answer, "deliveries", {"id", "hook", "event", "createdAt"});
        print(
            "To continue or send them: svc held release <kind> [id]. To drop them: svc held drop "
            "<kind> [id]\n");
    });
}

json held_body(const HeldOptions& options) {
    json body = {{"kind", options.kind}};
    if (!options.ids.empty()) body["ids"] = options.ids;
    if (!options.env.empty()) body["env"] = options.env;
    return body;
}

int release_held(CliContext& context, const HeldOptions& options) {
    return send(context, "/held/release", held_body(options), [](const json& answer) {
        print(cell_of(answer.value("released", json(0))) + " released.\n");
    });
}

int drop_held(CliContext& context, const HeldOptions& options) {
    const std::string which = options.ids.empty()
                                  ? "all " + options.kind
                                  : std::to_string(options.ids.size()) + " " + options.kind;
    const int end =
        confirm(context, "This drops " + which + " that a restore holds. They will not be done.",
                options.yes);
    if (end != kDone) return end;
    return send(context, "/held/drop", held_body(options), [](const json& answer) {
        print(cell_of(answer.value("dropped", json(0))) + " dropped.\n");
    });
}

void take_ids(CLI::App* command, HeldOptions& options) {
    command->add_option("ids", options.ids,
                        "Their ids, or unique beginnings of them; without them, all");
}

void take_held(CLI::App* command, HeldOptions& options) {
    command->add_option("kind", options.kind, "runs, mails or deliveries")
        ->required()
        ->check(CLI::IsMember({"runs", "mails", "deliveries"}));
    take_ids(command, options);
}

// `run release` is `held release runs`.
void add_run_release(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<HeldOptions>();
    options->kind = "runs";
    auto* free = app.get_subcommand("run")->add_subcommand(
        "release", "Continue runs that a restore holds, as held release runs does");
    take_ids(free, *options);
    take_environment(free, options->env);
    does(free, chosen, options, release_held);
}

}  // namespace

void add_held_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<HeldOptions>();
    auto* family = app.add_subcommand(
        "held", "Show runs, mails and deliveries that a restore holds until you decide");
    family->require_subcommand(0, 1);
    take_environment(family, options->env);
    does(family, chosen, options, list_held);
    auto* list = family->add_subcommand("list", "List what is held, the oldest first");
    list->add_option("--limit", options->limit, "How many of each to show at most")
        ->check(CLI::Range(1, kMostHeld));
    does(list, chosen, options, list_held);
    auto* free = family->add_subcommand(
        "release", "Continue or send what is held: all of a kind, or the named ones");
    take_held(free, *options);
    does(free, chosen, options, release_held);
    auto* lose =
        family->add_subcommand("drop", "Cancel what is held: all of a kind, or the named ones");
    take_held(lose, *options);
    take_yes(lose, options->yes);
    does(lose, chosen, options, drop_held);
    add_run_release(app, chosen);
}

}  // namespace svc::cli
