// Signing a client in by a person at a browser: what the client asks, and the page where the person
// answers.
//
// There is no cookie: apps' previews stand on the same origin, and their scripts could use it. Who
// decides gives the password, and gets a ticket of one use for the decision itself.
#include "auth/argon2.hpp"
#include "http/fields.hpp"
#include "http/text.hpp"
#include "json/formats.hpp"
#include "platform/cli_login.hpp"
#include "routes/page.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

using http::escape_html;

constexpr const char* kPath = "/cli-login";
constexpr const char* kSignInTitle = "svc: sign in a client";
constexpr const char* kGuesses = "code of a client";  // counted like an account

// ---- the client ----

void start_login(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string client = fields.text("client", 1, 80).value_or("svc");
    if (!fields.good(response)) return;
    if (!context.limits.allows(DevLimits::Kind::sign_ins, request.remote, response)) return;
    const DeviceLogin login = begin_login(context.store, client, request.remote);
    response.send(200,
                  {{"deviceCode", login.device_code},
                   {"userCode", login.user_code},
                   {"verifyUrl", context.config.public_url() + kPath + "?code=" + login.user_code},
                   {"interval", kPollSeconds},
                   {"expiresIn", 600}});
}

// The role as it is now, not as it was when the person decided.
void give_token(Context& context, const Poll& poll, Response& response) {
    const auto role = role_in(context.store, poll.user_id, poll.workspace_id);
    if (!role) return response.not_found("Workspace");
    NewToken wish{poll.user_id, poll.workspace_id, "svc login", {"read", "apply", "deploy"}};
    if (*role == Role::viewer) wish.scopes = {"read"};
    const MintedToken token = mint_token(context.store, wish);
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
            return response.refuse(Code::login_pending, "Nobody has decided yet.");
        case Poll::State::too_soon:
            response.header("Retry-After", std::to_string(kPollSeconds));
            return response.refuse(Code::rate_limited, "Asked again before the interval was over.");
        case Poll::State::refused:
            return response.refuse(Code::login_refused, "The sign-in was refused.");
        case Poll::State::unknown:
            return response.not_found("Sign-in");
        case Poll::State::approved:
            return give_token(context, answer, response);
    }
}

// ---- the person ----

struct SignInForm {
    std::string code, email;
};

void show_sign_in(const SignInForm& form, int status, std::string_view complaint,
                  Response& response) {
    page(response, status, kSignInTitle,
         "<h1>Sign in a client</h1><p>A program asks to act as you. Go on only where it shows this "
         "very code, and you started it yourself.</p>" +
             alert(complaint) + "<form method=\"post\" action=\"" + kPath +
             "\"><label>Code<input name=\"code\" value=\"" + escape_html(form.code) +
             "\" autocomplete=\"off\" required></label><label>E-mail<input type=\"email\" "
             "name=\"email\" autocomplete=\"username\" value=\"" +
             escape_html(form.email) +
             "\" required></label><label>Password<input type=\"password\" name=\"password\" "
             "autocomplete=\"current-password\" required></label><button name=\"action\" "
             "value=\"sign-in\">Sign in</button></form>");
}

std::string workspace_choice(const std::vector<Membership>& all) {
    std::string out = "<label>Workspace<select name=\"workspace\">";
    for (const auto& one : all)
        out += "<option value=\"" + one.workspace_id + "\">" + escape_html(one.workspace_name) +
               " (" + std::string(name(one.role)) + ")</option>";
    return out + "</select></label>";
}

void show_decision(Context& context, const AskedLogin& asked, const Account& account,
                   Response& response) {
    const auto all = memberships(context.store, account.id);
    if (all.empty())
        return page(response, 403, kSignInTitle,
                    "<p role=\"alert\">You belong to no workspace.</p>");
    const std::string ticket = make_ticket(context.store, asked.id, account.id);
    if (ticket.empty()) return show_sign_in({}, 404, "This code is not valid any more.", response);
    page(response, 200, kSignInTitle,
         "<h1>Let it in?</h1><p>A program that calls itself <b>" + escape_html(asked.client) +
             "</b>, at address " + escape_html(asked.address) + ", shows the code <b>" +
             escape_html(asked.user_code) + "</b>. It would act as " + escape_html(account.email) +
             " in one workspace: read, apply and deploy its projects, until you sign it out.</p>"
             "<form method=\"post\" action=\"" +
             kPath + "\"><input type=\"hidden\" name=\"ticket\" value=\"" + ticket + "\">" +
             workspace_choice(all) +
             "<button name=\"action\" value=\"approve\">Let it in</button>"
             "<button name=\"action\" value=\"refuse\">Refuse</button></form>");
}

// Reserves a try of the password and one of the code, or neither. Seconds to wait; 0: may try.
int take_tries(LoginThrottle& throttle, const std::string& email, const std::string& remote) {
    if (const int seconds = throttle.take(email, remote)) return seconds;
    const int seconds = throttle.take(kGuesses, remote);
    if (seconds > 0) throttle.give_back(email, remote);
    return seconds;
}

void take_sign_in(Context& context, const Request& request, Response& response) {
    const SignInForm form{query_value(request.body, "code"),
                          normal_email(query_value(request.body, "email")).substr(0, 254)};
    const std::string password = query_value(request.body, "password");
    if (const int seconds = take_tries(context.throttle, form.email, request.remote)) {
        context.sign_in_notes.locked_out("POST /cli-login", form.email, request.remote);
        response.header("Retry-After", std::to_string(seconds));
        return show_sign_in(form, 429, "Too many tries. Wait and try again.", response);
    }
    const auto account =
        password.size() <= 800 ? find_account(context.store, form.email) : std::optional<Account>();
    if (!auth::fits_hash(password, account ? account->password_hash : std::string())) {
        context.throttle.give_back(kGuesses, request.remote);
        context.sign_in_notes.failed("POST /cli-login", form.email, request.remote);
        return show_sign_in(form, 401, "E-mail or password is wrong.", response);
    }
    context.throttle.succeeded(form.email, request.remote);
    const auto asked = asked_login(context.store, form.code);
    if (!asked)
        return show_sign_in(form, 404, "There is no such code, or its time is over.", response);
    context.throttle.give_back(kGuesses, request.remote);
    show_decision(context, *asked, *account, response);
}

void take_decision(Context& context, const Request& request, bool approved, Response& response) {
    const Decision decision{query_value(request.body, "ticket"), approved,
                            query_value(request.body, "workspace")};
    const bool sound = !approved || svc::json::is_uuid(decision.workspace_id);
    const auto account = sound ? decide(context.store, decision) : std::nullopt;
    if (!account)
        return page(response, 404, kSignInTitle,
                    "<p role=\"alert\">This was decided already, or its time is over. Begin again "
                    "with <code>svc login</code>.</p>");
    response.workspace_id = approved ? decision.workspace_id : "";
    response.actor = {Caller::Kind::nobody, account->id, account->email, {}, {}, {}};
    page(response, 200, kSignInTitle,
         approved ? "<h1>It is in</h1><p>You can close this page. <code>svc logout</code> signs it "
                    "out again.</p>"
                  : "<h1>Refused</h1><p>It was not let in. You can close this page.</p>");
}

void show_form(Context&, const Request& request, Response& response) {
    show_sign_in({query_value(request.query, "code"), ""}, 200, "", response);
}

void take_form(Context& context, const Request& request, Response& response) {
    const bool is_form = request.content_type.starts_with("application/x-www-form-urlencoded");
    if (!is_form || from_elsewhere(request))
        return page(response, 403, kSignInTitle,
                    "<p role=\"alert\">This form was not sent from its own page.</p>");
    const std::string action = query_value(request.body, "action");
    if (action == "approve" || action == "refuse")
        return take_decision(context, request, action == "approve", response);
    take_sign_in(context, request, response);
}

}  // namespace

void bind_sign_in(RouteTable& pages, RouteTable& table) {
    pages.add({"GET", kPath, Need::nothing, Role::viewer, show_form});
    pages.add({"POST", kPath, Need::nothing, Role::viewer, take_form});
    table.add({"POST", "/cli/login", Need::nothing, Role::viewer, start_login});
    table.add({"POST", "/cli/login/poll", Need::nothing, Role::viewer, poll});
}

}  // namespace svc::devapi
