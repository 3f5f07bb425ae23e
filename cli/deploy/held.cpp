// held
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/deploy/chosen_work.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
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

// The body of a call for these. Nothing: an id fits several, and the user has been told.
std::optional<json> held_body(const CliContext& context, const HeldOptions& options) {
    json body = {{"kind", options.kind}};
    const std::string held = project_path(context.named_project(), "/held") +
                             query_text({{"limit", "200"}, {"env", options.env}});
    for (const std::string& given : options.ids) {
        const auto id = whole_id(context, given, {{held}, options.kind, "held entry"});
        if (!id) return std::nullopt;
        body["ids"].push_back(*id);
    }
    if (!options.env.empty()) body["env"] = options.env;
    return body;
}

int release_held(CliContext& context, const HeldOptions& options) {
    const auto body = held_body(context, options);
    if (!body) return kUsage;
    return send(context, "/held/release", *body, [](const json& answer) {
        print(cell_of(answer.value("released", json(0))) + " released.\n");
    });
}

int drop_held(CliContext& context, const HeldOptions& options) {
    const auto body = held_body(context, options);
    if (!body) return kUsage;
    const std::string which = options.ids.empty()
                                  ? "all " + options.kind
                                  : std::to_string(options.ids.size()) + " " + options.kind;
    const int end =
        confirm(context, "This drops " + which + " that a restore holds. They will not be done.",
                options.yes);
    if (end != kDone) return end;
    return send(context, "/held/drop", *body, [](const json& answer) {
        print(cell_of(answer.value("dropped", json(0))) + " dropped.\n");
    });
}

void take_held(CLI::App* command, HeldOptions& options) {
    command->add_option("kind", options.kind, "runs, mails or deliveries")
        ->required()
        ->check(CLI::IsMember({"runs", "mails", "deliveries"}));
    command->add_option("ids", options.ids, "Their ids; without them, all");
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
}

}  // namespace svc::cli
