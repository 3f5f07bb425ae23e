// hooks list, secret, deliveries, redeliver
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/app_paths.hpp"
#include "base/parts.hpp"
#include "base/percent.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostDeliveries = 200;

struct HookOptions {
    std::string hook, id, env;
    int limit = 0;
    bool rotate = false;
};

std::string joined(const json& names) {
    return base::joined(names.get<std::vector<std::string>>());
}

// The address of a webhook of dev is on the service's own host. Webhooks of prod answer on each of
// the app's own hosts.
std::string address_of(const CliContext& context, const json& hook, const std::string& env) {
    const std::string path =
        std::string(base::kHooksPath) + context.named_project() + "/" + text_of(hook, "name");
    if (!env.empty() && env != "dev") return path + " at the app's address";
    const std::string api = context.api();
    return api.substr(0, api.find("/dev/v1")) + path;
}

void show_incoming(const CliContext& context, const json& hooks, const std::string& env) {
    Table table{{"incoming", "scheme", "starts", "last", "address"}, {}, {}};
    for (const json& one : hooks)
        table.rows.push_back({text_of(one, "name"), text_of(one, "scheme"),
                              joined(one.value("workflows", json::array())), text_of(one, "lastAt"),
                              address_of(context, one, env)});
    if (!table.rows.empty()) print(layout(table, terminal_width()));
    for (const json& one : hooks)
        if (one.value("lacksSecret", false))
            print(text_of(one, "name") +
                  " refuses every call, because it lacks its secret: see svc status.\n");
}

std::string health_of(const json& hook) {
    if (const auto off = text_of(hook, "offAt"); !off.empty()) return "off since " + off;
    const auto failing = text_of(hook, "failingSince");
    return failing.empty() ? "well" : "failing since " + failing;
}

void show_outgoing(const json& hooks) {
    Table table{
        {"outgoing", "url", "state", "waiting", "dead"}, {}, {false, false, false, true, true}};
    for (const json& one : hooks)
        table.rows.push_back({text_of(one, "name"), text_of(one, "url"), health_of(one),
                              cell_of(one.value("waiting", json())),
                              cell_of(one.value("dead", json()))});
    if (!table.rows.empty()) print(layout(table, terminal_width()));
}

int list_hooks(CliContext& context, const HookOptions& options) {
    const std::string rest = "/hooks" + query_text({{"env", options.env}});
    return show(context, rest, [&context, &options](const json& answer) {
        const json in = answer.value("in", json::array()), out = answer.value("out", json::array());
        if (in.empty() && out.empty()) print("The contract has no webhooks.\n");
        show_incoming(context, in, options.env);
        show_outgoing(out);
    });
}

int show_secret(CliContext& context, const HookOptions& options) {
    const std::string hook = "/hooks/" + base::percent_encoded(options.hook);
    const auto print_it = [](const json& answer) {
        print(text_of(answer, "secret") + "\n");
        if (const std::string note = text_of(answer, "note"); !note.empty())
            std::fputs((note + "\n").c_str(), stderr);
    };
    if (!options.rotate)
        return show(context, hook + "/secret" + query_text({{"env", options.env}}), print_it);
    json body = json::object();
    if (!options.env.empty()) body["env"] = options.env;
    return send(context, hook + "/rotate", body, print_it);
}

int list_deliveries(CliContext& context, const HookOptions& options) {
    const std::string rest = "/deliveries" + query_text({{"hook", options.hook},
                                                         {"limit", limit_text(options.limit)},
                                                         {"env", options.env}});
    return show(context, rest, [](const json& answer) {
        if (answer.value("deliveries", json::array()).empty())
            print("Nothing has been delivered yet.\n");
        print_list(
            answer, "deliveries",
            {"id", "hook", "event", "status", "attempts", "lastStatus", "error", "createdAt"});
    });
}

int redeliver(CliContext& context, const HookOptions& options) {
    json body = json::object();
    if (!options.env.empty()) body["env"] = options.env;
    return send(context, "/deliveries/" + base::percent_encoded(options.id) + "/redeliver", body,
                [](const json& answer) {
                    print("Sending " + text_of(answer, "redelivered") + " again.\n");
                });
}

}  // namespace

void add_hook_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<HookOptions>();
    auto* family = app.add_subcommand("hooks", "Show webhooks and their deliveries");
    family->require_subcommand(1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(CliContext&, const HookOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    auto* list = family->add_subcommand("list", "List the app's webhooks, and whether they work");
    take_environment(list, options->env)->callback(choose(list_hooks));
    auto* secret = family->add_subcommand(
        "secret", "Print the secret of an incoming webhook: give it to the service that calls");
    secret->add_option("hook", options->hook, "Name of the webhook")->required();
    secret->add_flag("--rotate", options->rotate,
                     "Create a new secret; the old one stays valid for 24 hours");
    take_environment(secret, options->env)->callback(choose(show_secret));
    auto* sent =
        family->add_subcommand("deliveries", "List deliveries, sent or waiting, newest first");
    sent->add_option("hook", options->hook, "Only deliveries of this webhook");
    sent->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostDeliveries));
    take_environment(sent, options->env)->callback(choose(list_deliveries));
    auto* again = family->add_subcommand("redeliver", "Send a delivery again, with the same id");
    again->add_option("id", options->id, "Id of the delivery")->required();
    take_environment(again, options->env)->callback(choose(redeliver));
    for (CLI::App* command : {list, secret, sent, again}) command->fallthrough();
}

}  // namespace svc::cli
