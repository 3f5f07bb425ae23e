// keys list, create, revoke, adopt: what the app is called with
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/confirmed.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct KeyOptions {
    std::string name, kind, id;
    std::vector<std::string> origins, tools;
    SignIn sign_in;
};

std::string names_in(const json& list) {
    std::string out;
    for (const json& one : list.is_array() ? list : json::array())
        if (one.is_string())
            out += (out.empty() ? "" : ", ") + printable(one.get_ref<const std::string&>());
    return out;
}

// The maker of a key: an address, or an account that has one.
std::string maker_of(const json& key) {
    const json made = key.value("createdBy", json());
    return made.is_object() ? text_of(made, "email") : text_of(key, "createdBy");
}

constexpr const char* kNameOrId = "The name, the id, or a unique beginning of the id";

int list_keys(CliContext& context, const KeyOptions&) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer =
        context.accept(context.call("Asking", {.path = project_path(project, "/keys")}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"id", "name", "kind", "begins", "made", "by", "origins"}, {}, {}};
    for (const json& key : answer->value("keys", json::array()))
        table.rows.push_back({text_of(key, "id"), text_of(key, "name"), text_of(key, "kind"),
                              text_of(key, "keyPrefix"), text_of(key, "createdAt"), maker_of(key),
                              names_in(key.value("origins", json()))});
    print(table.rows.empty() ? "No keys yet. Create one with svc keys create <name> --kind server\n"
                             : layout(table, terminal_width()));
    return kDone;
}

json wanted_key(const KeyOptions& options) {
    json body = {{"name", options.name}, {"kind", options.kind}};
    if (!options.origins.empty()) body["origins"] = options.origins;
    if (!options.tools.empty()) body["tools"] = options.tools;
    return body;
}

// The value alone goes to standard output: key=$(svc keys create …).
int create_key(CliContext& context, const KeyOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = send_confirmed(context, options.sign_in, "Making",
                                       {.method = "POST",
                                        .path = project_path(project, "/keys"),
                                        .body = wanted_key(options).dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "key") + "\n");
    std::fflush(stdout);
    std::fputs("Store the value now. It is not shown again.\n", stderr);
    return kDone;
}

int revoke_key(CliContext& context, const KeyOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string keys = project_path(project, "/keys");
    const auto id = whole_id(context, options.id, {{keys}, "keys", "key", "id", "name"});
    if (!id) return kUsage;
    const auto answer =
        send_confirmed(context, options.sign_in, "Revoking",
                       {.method = "DELETE", .path = keys + "/" + base::percent_encoded(*id)});
    if (!answer) return kRefused;
    if (!context.wants_json())
        print("Key " + text_of(*answer, "revoked") + " is revoked. Calls with it are refused.\n");
    return kDone;
}

// Keys end with the membership of their maker. This key belongs to the caller from here on.
int adopt_key(CliContext& context, const KeyOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string keys = project_path(project, "/keys");
    const auto id = whole_id(context, options.id, {{keys}, "keys", "key", "id", "name"});
    if (!id) return kUsage;
    const auto answer = send_confirmed(
        context, options.sign_in, "Taking over",
        {.method = "POST", .path = keys + "/" + base::percent_encoded(*id) + "/adopt"});
    if (!answer) return kRefused;
    if (!context.wants_json())
        print("Key \"" + text_of(*answer, "name") + "\" now belongs to " + maker_of(*answer) +
              ".\n");
    return kDone;
}

CLI::App* add_create(CLI::App& family, KeyOptions& options) {
    const std::string again = "; repeat it for more";
    auto* command = family.add_subcommand("create", "Create a key; its value is shown once");
    command->add_option("name", options.name, "What the key is for")->required();
    command->add_option("--kind", options.kind, "server, or browser (limited to origins)")
        ->required()
        ->check(CLI::IsMember({"server", "browser"}));
    command
        ->add_option(
            "--origin", options.origins,
            "for browser keys: an origin whose pages may call (default: the app's hosts)" + again)
        ->allow_extra_args(false);
    command
        ->add_option("--tool", options.tools, "A tool that the key may use (default: all)" + again)
        ->allow_extra_args(false);
    take_sign_in(command, options.sign_in);
    return command;
}

CLI::App* add_for_one(CLI::App& family, const char* name, const char* what, KeyOptions& options) {
    auto* command = family.add_subcommand(name, what);
    command->add_option("id", options.id, kNameOrId)->required();
    take_sign_in(command, options.sign_in);
    return command;
}

}  // namespace

void add_key_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<KeyOptions>();
    auto* family = app.add_subcommand("keys", "Manage the keys that callers of the app use");
    family->require_subcommand(0, 1)->fallthrough();
    const auto does = [options](int (*act)(CliContext&, const KeyOptions&)) {
        return [options, act](CliContext& context) { return act(context, *options); };
    };
    family->callback([&chosen, show = does(list_keys)] {
        if (!chosen) chosen = show;
    });
    auto* list =
        family->add_subcommand("list", "List all keys of the project, without their values");
    list->callback([&chosen, show = does(list_keys)] { chosen = show; });
    auto* create = add_create(*family, *options);
    create->callback([&chosen, make = does(create_key)] { chosen = make; });
    auto* revoke = add_for_one(*family, "revoke", "Revoke a key at once", *options);
    revoke->callback([&chosen, end = does(revoke_key)] { chosen = end; });
    auto* adopt = add_for_one(
        *family, "adopt", "Take over a key, so that it stays when the member who created it leaves",
        *options);
    adopt->callback([&chosen, take = does(adopt_key)] { chosen = take; });
    for (CLI::App* command : {list, create, revoke, adopt}) command->fallthrough();
}

}  // namespace svc::cli
