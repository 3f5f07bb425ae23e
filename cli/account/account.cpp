// login, logout, whoami
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/account/ask.hpp"
#include "cli/account/builder_session.hpp"
#include "cli/account/device_login.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kLongestTokenName = 80;

struct Login {
    std::string token, email, password, code, workspace;
    bool no_browser = false;
};

std::string host_name() {
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "this machine";
}

void announce(const CliContext& context, const json& answer, const std::string& email) {
    if (context.wants_json()) return print(answer.dump() + "\n");
    print("Signed in as " + email + " at " + context.api() + ".\n");
}

int login_with_token(CliContext& context, const Login& login) {
    const std::string token = secret_of(login.token);
    const Reply reply = context.call_as(token, "Signing in", {.path = "/me"});
    const auto me = context.accept(reply);
    if (!me) return kRefused;
    write_config({context.api(), token, ""});
    if (!context.wants_json()) announce(context, *me, text_of(*me, "email"));
    return kDone;
}

// The workspace of this name, or the first if `wanted` is empty. Null if there is no such
// workspace.
const json* workspace_of(const json& session_answer, const std::string& wanted) {
    const auto list = session_answer.find("workspaces");
    if (list == session_answer.end() || !list->is_array()) return nullptr;
    for (const json& workspace : *list) {
        if (wanted.empty() || text_of(workspace, "id") == wanted ||
            text_of(workspace, "name") == wanted) {
            return &workspace;
        }
    }
    return nullptr;
}

std::optional<json> mint_token(CliContext& context, const std::string& jwt, const json& workspace) {
    // A viewer may hold no more than this.
    const bool viewer = text_of(workspace, "role") == "viewer";
    const json scopes = viewer ? json::array({"read"}) : json::array({"read", "apply", "deploy"});
    const json body = {{"name", ("svc on " + host_name()).substr(0, kLongestTokenName)},
                       {"workspaceId", text_of(workspace, "id")},
                       {"scopes", scopes}};
    const Reply reply = context.call_as(jwt, "Signing in",
                                        {.method = "POST", .path = "/tokens", .body = body.dump()});
    return context.accept(reply);
}

// The password from the options, or as typed. Nothing: an error was shown.
std::optional<std::string> login_password(const CliContext& context, const Login& login) {
    if (!login.password.empty()) return secret_of(login.password);
    auto typed = ask("Password of " + login.email, true);
    if (!typed)
        context.refuse("Give --password - with --email: it reads the password from standard input.",
                       "BAD_REQUEST");
    return typed;
}

int login_with_password(CliContext& context, const Login& login) {
    const auto password = login_password(context, login);
    if (!password) return kUsage;
    const auto signed_in = sign_in(context, {login.email, *password, login.code});
    if (!signed_in) return kRefused;
    const json& answer = *signed_in;
    const std::string jwt = text_of(answer, "token");
    const json* workspace = jwt.empty() ? nullptr : workspace_of(answer, login.workspace);
    if (workspace == nullptr) {
        context.refuse(login.workspace.empty()
                           ? "This account belongs to no workspace."
                           : "This account belongs to no workspace \"" + login.workspace + "\".",
                       "NOT_FOUND");
        return kRefused;
    }
    const auto token = mint_token(context, jwt, *workspace);
    if (!token) return kRefused;
    write_config({context.api(), text_of(*token, "token"), text_of(*token, "id")});
    // The token replaces the session from here on.
    (void)context.call_as(jwt, "Signing in", {.method = "DELETE", .path = "/session"});
    if (context.wants_json()) return kDone;
    announce(context, *token, login.email);
    print("Workspace: " + text_of(*workspace, "name") + "\n");
    return kDone;
}

int login(CliContext& context, const Login& login) {
    if (!login.token.empty()) return login_with_token(context, login);
    if (!login.email.empty()) return login_with_password(context, login);
    return login_with_browser(context, !login.no_browser);
}

int logout(CliContext& context) {
    Config config = read_config();
    if (config.token.empty()) {
        context.refuse("Nobody is signed in.", "UNAUTHENTICATED");
        return kRefused;
    }
    // A token that was handed to `login` may be in use elsewhere: it is forgotten, not revoked.
    if (!config.token_id.empty()) {
        const Reply reply =
            Http(config.api, config.token)
                .send({.method = "DELETE", .path = "/tokens/" + config.token_id}, [] {});
        if (!reply.ok() && reply.status != 401 && reply.status != 404) {
            context.show_refusal(reply);
            return kRefused;
        }
        if (context.wants_json()) print(reply.body);
    }
    const bool revoked = !config.token_id.empty();
    config.token.clear();
    config.token_id.clear();
    write_config(config);
    if (!context.wants_json()) {
        print(revoked
                  ? "You are signed out, and the token is revoked.\n"
                  : "You are signed out here. The token itself stays valid until it is revoked.\n");
    }
    return kDone;
}

int whoami(CliContext& context) {
    const auto me = context.accept(context.call("Asking", {.path = "/me"}));
    if (!me) return kRefused;
    if (context.wants_json()) return kDone;
    std::string scopes;
    for (const json& scope : me->value("scopes", json::array())) {
        if (scope.is_string()) scopes += (scopes.empty() ? "" : ", ") + scope.get<std::string>();
    }
    print(text_of(*me, "email") + " at " + context.api() + "\n");
    print("signed in with " + text_of(*me, "auth") + (scopes.empty() ? "" : ", scopes " + scopes) +
          "\n");
    Table table{{"workspace", "role", "id"}, {}, {}};
    for (const json& workspace : me->value("workspaces", json::array())) {
        table.rows.push_back(
            {text_of(workspace, "name"), text_of(workspace, "role"), text_of(workspace, "id")});
    }
    if (!table.rows.empty()) print(layout(table, terminal_width()));
    return kDone;
}

}  // namespace

void add_account_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<Login>();
    auto* command = app.add_subcommand("login", "Sign in and save the sign-in");
    auto* token =
        command->add_option("--token", options->token,
                            "Sign in with this access token; - reads it from standard input");
    auto* email = command->add_option("--email", options->email, "Sign in with this address");
    auto* password =
        command->add_option("--password", options->password,
                            "The password (asked for otherwise); - reads it from standard input");
    auto* code = command->add_option(
        "--code", options->code,
        "The code of the second factor, if there is one; - reads it from standard input");
    auto* workspace =
        command->add_option("--workspace", options->workspace, "The workspace's name or id");
    command->add_flag("--no-browser", options->no_browser, "Do not open a browser");
    password->needs(email);
    workspace->needs(email);
    code->needs(email);
    token->excludes(email);
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return login(context, *options); };
    });
    app.add_subcommand("logout", "Sign out and revoke the saved token")->callback([&chosen] {
        chosen = logout;
    });
    app.add_subcommand("whoami", "Show who is signed in, and where")->callback([&chosen] {
        chosen = whoami;
    });
}

}  // namespace svc::cli
