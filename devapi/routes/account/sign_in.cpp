// Signing a client in by a person at a browser: what the client asks, and the page where the person
// answers.
//
// There is no cookie: apps' previews stand on the same origin, and their scripts could use it. Who
// decides gives the password, then their second factor if they have one, and gets a ticket of
// one use for the decision itself. Without scripts all but passkeys works.
#include "http/fields.hpp"
#include "platform/account/cli_login.hpp"
#include "routes/account/sign_in_form.hpp"
#include "routes/account/sign_in_page.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

void start_login(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string client = fields.text("client", 1, 80).value_or("svc");
    if (!fields.good(response)) return;
    if (!context.limits.allows(DevLimits::Kind::sign_ins, request.remote, response)) return;
    const DeviceLogin login = begin_login(context.store, client, request.remote);
    response.send(
        200, {{"deviceCode", login.device_code},
              {"userCode", login.user_code},
              {"verifyUrl", context.config.public_url() + kSignInPath + "?code=" + login.user_code},
              {"interval", kPollSeconds},
              {"expiresIn", 600}});
}

// The role as it is now, not as it was when the person decided.
void give_token(Context& context, const Poll& poll, Response& response) {
    const auto role = role_in(context.store, poll.user_id, poll.workspace_id);
    if (!role) return response.not_found("Workspace");
    NewToken wanted{poll.user_id, poll.workspace_id, "svc login", {"read", "apply", "deploy"}};
    if (*role == Role::viewer) wanted.scopes = {"read"};
    const MintedToken token = mint_token(context.store, wanted);
    response.workspace_id = poll.workspace_id;
    response.actor = {Caller::Kind::nobody, poll.user_id, poll.email, {}, {}, {}};
    response.send(200, {{"token", token.value},
                        {"id", token.record.id},
                        {"workspaceId", token.record.workspace_id},
                        {"scopes", token.record.scopes},
                        {"user", {{"id", poll.user_id}, {"email", poll.email}}}});
}

void poll(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string code = fields.required_text("deviceCode", 1, 200);
    if (!fields.good(response)) return;
    const Poll answer = poll_login(context.store, code);
    switch (answer.state) {
        case Poll::State::pending:
            return response.refuse(DevCode::login_pending,
                                   "Nobody has approved or refused this sign-in yet.");
        case Poll::State::too_soon:
            response.header("Retry-After", std::to_string(kPollSeconds));
            return response.refuse(Code::rate_limited,
                                   "The client asked again too soon. Wait for the interval.");
        case Poll::State::refused:
            return response.refuse(DevCode::login_refused, "The sign-in was refused.");
        case Poll::State::unknown:
            return response.not_found("Sign-in");
        case Poll::State::approved:
            return give_token(context, answer, response);
    }
}

}  // namespace

void bind_sign_in(RouteTable& pages, RouteTable& table) {
    pages.add({"GET", kSignInPath, Need::nothing, Role::viewer, show_login_form}, {"code"});
    pages.add({"POST", kSignInPath, Need::nothing, Role::viewer, take_login_form});
    table.add({"POST", "/cli/login", Need::nothing, Role::viewer, start_login});
    table.add({"POST", "/cli/login/poll", Need::nothing, Role::viewer, poll});
}

}  // namespace svc::devapi
