// tokens list, create, revoke: what programs sign in to the developer API with
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/percent.hpp"
#include "cli/account/chosen_workspace.hpp"
#include "cli/commands.hpp"
#include "cli/confirmed.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kLongestDays = 366;

struct TokenOptions {
    std::string name, workspace, id;
    std::vector<std::string> scopes;
    int days = 0;  // 0: no end
    SignIn sign_in;
};

std::string scopes_of(const json& token) {
    std::string out;
    for (const json& scope : token.value("scopes", json::array()))
        if (scope.is_string()) out += (out.empty() ? "" : ", ") + scope.get<std::string>();
    return out;
}

int list_tokens(CliContext& context, const TokenOptions&) {
    const auto answer = context.accept(context.call("Asking", {.path = "/tokens"}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"id", "name", "begins", "scopes", "last used", "ends"}, {}, {}};
    for (const json& token : answer->value("tokens", json::array()))
        table.rows.push_back({text_of(token, "id"), text_of(token, "name"),
                              text_of(token, "token_prefix"), scopes_of(token),
                              text_of(token, "last_used_at"), text_of(token, "expires_at")});
    print(table.rows.empty() ? "No tokens. Create one with svc tokens create <name>\n"
                             : layout(table, terminal_width()));
    return kDone;
}

// The value alone goes to standard output.
int create_token(CliContext& context, const TokenOptions& options) {
    const std::string workspace = chosen_workspace(context, getter(context), options.workspace);
    if (workspace.empty()) return kRefused;
    json body = {{"name", options.name}, {"workspaceId", workspace}};
    if (!options.scopes.empty()) body["scopes"] = options.scopes;
    if (options.days > 0) body["expiresInDays"] = options.days;
    const auto answer = send_confirmed(context, options.sign_in, "Making",
                                       {.method = "POST", .path = "/tokens", .body = body.dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "token") + "\n");
    std::fflush(stdout);
    std::fputs("Store the value now. It is not shown again.\n", stderr);
    return kDone;
}

int revoke_token(CliContext& context, const TokenOptions& options) {
    const auto id = whole_id(context, options.id, {{"/tokens"}, "tokens", "token", "id", "name"});
    if (!id) return kUsage;
    const auto answer =
        send_confirmed(context, options.sign_in, "Revoking",
                       {.method = "DELETE", .path = "/tokens/" + base::percent_encoded(*id)});
    if (!answer) return kRefused;
    if (!context.wants_json()) print("Token " + text_of(*answer, "revoked") + " is revoked.\n");
    return kDone;
}

}  // namespace

void add_token_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<TokenOptions>();
    auto* family =
        app.add_subcommand("tokens", "Manage your own tokens, for programs that act as you");
    family->require_subcommand(0, 1)->fallthrough();
    const auto does = [options](int (*act)(CliContext&, const TokenOptions&)) {
        return [options, act](CliContext& context) { return act(context, *options); };
    };
    family->callback([&chosen, show = does(list_tokens)] {
        if (!chosen) chosen = show;
    });
    auto* list = family->add_subcommand("list", "List your tokens, without their values");
    list->callback([&chosen, show = does(list_tokens)] { chosen = show; });
    auto* create = family->add_subcommand("create", "Create a token; its value is shown once");
    create->add_option("name", options->name, "What the token is for")->required();
    create
        ->add_option("--scope", options->scopes,
                     "read, apply or deploy; repeat it for more (default read and apply)")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"read", "apply", "deploy"}));
    create
        ->add_option("--days", options->days,
                     "How many days the token is valid (default: until it is revoked)")
        ->check(CLI::Range(1, kLongestDays));
    create->add_option("--workspace", options->workspace,
                       "The workspace's name or id (default: that of the folder's project)");
    take_sign_in(create, options->sign_in);
    create->callback([&chosen, make = does(create_token)] { chosen = make; });
    auto* revoke = family->add_subcommand("revoke", "Revoke a token at once");
    revoke->add_option("id", options->id, "The name, the id, or a unique beginning of the id")
        ->required();
    take_sign_in(revoke, options->sign_in);
    revoke->callback([&chosen, end = does(revoke_token)] { chosen = end; });
    for (CLI::App* command : {list, create, revoke}) command->fallthrough();
}

}  // namespace svc::cli
