// topics list, publish, listen
#include <CLI/CLI.hpp>
#include <memory>

#include "base/percent.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/follow.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr const char* kUndeclared = "Also take a topic that the contract does not declare";

struct TopicOptions {
    std::string name, payload, since, env;
    std::vector<std::string> names;
    bool undeclared = false;
};

// The principals as the contract writes them: staff, {to: customer, if: …}.
std::string who_of(const json& topic, const char* use) {
    const json grants = topic.value(use, json());
    if (grants.is_null()) return "everybody";
    std::string out;
    for (const json& grant : grants.is_array() ? grants : json::array({grants})) {
        const bool plain = grant.is_string();
        const std::string to = printable(plain ? grant.get<std::string>() : grant.value("to", ""));
        const std::string when = plain ? "" : text_of(grant, "if");
        out += (out.empty() ? "" : ", ") + to + (when.empty() ? "" : " if " + when);
    }
    return out.empty() ? "nobody" : out;
}

void show_declared(const json& topics) {
    Table table{{"topic", "publish", "listen"}, {}, {}};
    for (const json& topic : topics)
        table.rows.push_back(
            {text_of(topic, "name"), who_of(topic, "publish"), who_of(topic, "subscribe")});
    print(table.rows.empty() ? "The contract declares no topics, so any name works.\n"
                             : layout(table, terminal_width()));
}

void show_used(const json& topics) {
    if (topics.empty()) return print("\nNothing was published in the last 24 hours.\n");
    Table table{{"published to", "messages", "last"}, {}, {false, true}};
    for (const json& topic : topics)
        table.rows.push_back({text_of(topic, "topic"), cell_of(topic.value("messages", json())),
                              text_of(topic, "lastAt")});
    print("\n" + layout(table, terminal_width()));
}

int list_topics(CliContext& context, const TopicOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string path = project_path(project, "/topics" + query_text({{"env", options.env}}));
    const auto answer = context.accept(context.call("Asking", {.path = path}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    show_declared(answer->value("topics", json::array()));
    show_used(answer->value("used", json::array()));
    return kDone;
}

int publish(CliContext& context, const TopicOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    json body = json::object();
    if (!options.payload.empty()) {
        auto payload = json_argument(context, options.payload, "payload");
        if (!payload) return kUsage;
        body["payload"] = std::move(*payload);
    }
    if (!options.env.empty()) body["env"] = options.env;
    if (options.undeclared) body["undeclared"] = true;
    const std::string path =
        project_path(project, "/topics/" + base::percent_encoded(options.name) + "/publish");
    const auto answer = context.accept(
        context.call("Publishing", {.method = "POST", .path = path, .body = body.dump()}));
    if (!answer) return kRefused;
    if (!context.wants_json()) print("Published to " + options.name + ".\n");
    return kDone;
}

int listen(CliContext& context, const TopicOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    std::string names;
    for (const std::string& name : options.names) names.append(names.empty() ? "" : ",") += name;
    const std::string since = options.since.empty() ? "0s" : options.since;
    return follow(
        context,
        project_path(project,
                     "/tail" + query_text({{"kind", "events"},
                                           {"topic", names},
                                           {"since", since},
                                           {"limit", "500"},
                                           {"undeclared", options.undeclared ? "true" : ""},
                                           {"env", options.env}})));
}

}  // namespace

void add_topic_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<TopicOptions>();
    auto* family = app.add_subcommand("topics", "Publish messages, which listeners get at once");
    family->require_subcommand(0, 1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(CliContext&, const TopicOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    const Action show = [options](CliContext& context) { return list_topics(context, *options); };
    take_environment(family, options->env)->callback([&chosen, show] {
        if (!chosen) chosen = show;
    });
    auto* list =
        family->add_subcommand("list", "List the contract's topics, and what was published");
    take_environment(list, options->env)->callback(choose(list_topics));
    auto* send = family->add_subcommand("publish", "Send a message to all listeners");
    send->add_option("topic", options->name, "Name of the topic")->required();
    send->add_option("payload", options->payload, "JSON of the message, or @file; null without it");
    send->add_flag("--undeclared", options->undeclared, kUndeclared);
    take_environment(send, options->env)->callback(choose(publish));
    auto* hear = family->add_subcommand("listen", "Show messages as they arrive");
    hear->add_option("topics", options->names,
                     "Names of topics; row-changed:<table> for changes of a table")
        ->required();
    hear->add_option("--since", options->since,
                     "Also show older messages since then: 15m, 2h, 1d, or a time");
    hear->add_flag("--undeclared", options->undeclared, kUndeclared);
    take_environment(hear, options->env)->callback(choose(listen));
    for (CLI::App* command : {list, send, hear}) command->fallthrough();
}

}  // namespace svc::cli
