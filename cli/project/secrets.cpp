// secrets list, set, delete
#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct Secret {
    std::string name, value, env;
    std::vector<std::string> hosts;
};

std::string no_environment(std::string& env) {
    const bool known = env == "dev" || env == "prod" || env == "all";
    return known ? "" : "\"" + env + "\" is not dev, prod or all.";
}

// "-" reads standard input, where no list of processes shows it; the last line's end is not part of
// it.
std::string value_of(const std::string& given) {
    if (given != "-") return given;
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

// A secret for all environments belongs to each of them.
void keep_those_of(const std::string& env, Reply& reply) {
    auto body = nlohmann::ordered_json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !body.is_object() || !body.contains("secrets")) return;
    auto kept = nlohmann::ordered_json::array();
    for (const auto& secret : body["secrets"])
        if (secret.value("env", "") == env || secret.value("env", "") == "all")
            kept.push_back(secret);
    body["secrets"] = std::move(kept);
    reply.body = body.dump();
}

std::string hosts_of(const json& secret) {
    const auto hosts = secret.find("hosts");
    if (hosts == secret.end() || !hosts->is_array()) return "no host named";
    std::string out;
    for (const json& host : *hosts)
        out.append(out.empty() ? "" : ", ").append(host.get<std::string>());
    return out.empty() ? "none" : out;
}

int list_secrets(CliContext& context, const std::string& env) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    Reply reply = context.call("Asking", {.path = project_path(project, "/secrets")});
    if (!env.empty()) keep_those_of(env, reply);
    const auto answer = context.accept(reply);
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"name", "env", "hosts", "updated"}, {}, {}};
    for (const json& secret : answer->value("secrets", json::array()))
        table.rows.push_back({text_of(secret, "name"), text_of(secret, "env"), hosts_of(secret),
                              text_of(secret, "updatedAt")});
    const std::string none = env.empty() ? "No secrets yet." : "No secrets for " + env + " yet.";
    print(table.rows.empty() ? none + " Set one with svc secrets set <name> <value>\n"
                             : layout(table, terminal_width()));
    return kDone;
}

int set_secret(CliContext& context, const Secret& secret) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    json body = {{"value", value_of(secret.value)}};
    if (!secret.env.empty()) body["env"] = secret.env;
    if (!secret.hosts.empty()) body["hosts"] = secret.hosts;
    const auto answer = context.accept(context.call(
        "Keeping", {.method = "PUT",
                    .path = project_path(project, "/secrets/" + base::percent_encoded(secret.name)),
                    .body = body.dump()}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "name") +
          (answer->value("created", false) ? " is set for " : " is changed for ") +
          text_of(*answer, "env") +
          ". Steps, webhooks, models and payments use it at once, another database from the next "
          "apply.\n");
    return kDone;
}

int allow_hosts(CliContext& context, const Secret& secret) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    json body = {{"allow", secret.hosts}};
    if (!secret.env.empty()) body["env"] = secret.env;
    const auto answer = context.accept(context.call(
        "Allowing",
        {.method = "PATCH",
         .path = project_path(project, "/secrets/" + base::percent_encoded(secret.name)),
         .body = body.dump()}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "name") + " may be sent to: " + hosts_of(*answer) + ".\n");
    return kDone;
}

int delete_secret(CliContext& context, const Secret& secret) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string env = secret.env.empty() ? "" : "?env=" + base::percent_encoded(secret.env);
    const auto answer = context.accept(context.call(
        "Deleting",
        {.method = "DELETE",
         .path = project_path(project, "/secrets/" + base::percent_encoded(secret.name) + env)}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "deleted") + " is deleted.\n");
    return kDone;
}

CLI::App* with_environment(CLI::App* command, Secret& secret) {
    command->add_option("--env", secret.env, "dev, prod or all")
        ->check(CLI::Validator(no_environment, "{dev,prod,all}"));
    return command;
}

CLI::App* add_set(CLI::App& family, Secret& secret) {
    auto* command = family.add_subcommand("set", "Store a value under a name");
    command->add_option("name", secret.name, "The name that the contract uses: secret:<name>")
        ->required();
    command->add_option("value", secret.value, "The value; - reads it from standard input")
        ->required();
    with_environment(command, secret);
    command->add_option("--host", secret.hosts,
                        "A host that may get the secret; repeat it for more");
    return command;
}

CLI::App* add_allow(CLI::App& family, Secret& secret) {
    auto* command = family.add_subcommand("allow", "Allow one more host to get the secret");
    command->add_option("name", secret.name, "Name of the secret")->required();
    command->add_option("--host", secret.hosts, "The host as the contract's address has it")
        ->required();
    return with_environment(command, secret);
}

CLI::App* add_delete(CLI::App& family, Secret& secret) {
    auto* command = family.add_subcommand("delete", "Delete a secret, in one environment or all");
    command->add_option("name", secret.name, "Name of the secret")->required();
    return with_environment(command, secret);
}

}  // namespace

void add_secret_commands(CLI::App& app, Action& chosen) {
    auto* family =
        app.add_subcommand("secrets", "Manage values that the app needs and nobody may read");
    family->require_subcommand(0, 1)->fallthrough();
    auto secret = std::make_shared<Secret>();
    const Action show = [secret](CliContext& context) {
        return list_secrets(context, secret->env);
    };
    with_environment(family, *secret)->callback([&chosen, show] {
        if (!chosen) chosen = show;
    });
    auto* list = family->add_subcommand(
        "list", "List the names, never the values; --env limits the list to an environment");
    with_environment(list, *secret)->callback([&chosen, show] { chosen = show; });
    const auto does = [&chosen, secret](int (*act)(CliContext&, const Secret&)) {
        return [&chosen, secret, act] {
            chosen = [secret, act](CliContext& context) { return act(context, *secret); };
        };
    };
    auto* set = add_set(*family, *secret);
    set->callback(does(set_secret));
    auto* allow = add_allow(*family, *secret);
    allow->callback(does(allow_hosts));
    auto* drop = add_delete(*family, *secret);
    drop->callback(does(delete_secret));
    for (CLI::App* command : {list, set, allow, drop}) command->fallthrough();
}

}  // namespace svc::cli
