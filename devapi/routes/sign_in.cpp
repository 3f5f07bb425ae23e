// Signing a client in by a person at a browser: what the client asks, and the page where the person
// answers.
//
// There is no cookie: apps' previews stand on the same origin, and their scripts could use it. Who
// decides gives the password, then their second factor where they have one, and gets a ticket of
// one use for the decision itself. Without scripts all but passkeys works.
#include "auth/password/argon2.hpp"
#include "http/fields.hpp"
#include "http/text.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"
#include "platform/cli_login.hpp"
#include "routes/page.hpp"
#include "routes/routes.hpp"
#include "routes/second_factor.hpp"

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

// ---- the person ----

struct SignInForm {
    std::string code, email;
};

void show_sign_in(const SignInForm& form, int status, std::string_view complaint,
                  Response& response) {
    page(response, status, kSignInTitle,
         "<h1>Sign in a client</h1><p>A program asks to act as you. Continue only if you started "
         "it yourself and it shows exactly this code.</p>" +
             alert(complaint) + "<form method=\"post\" action=\"" + kPath +
             "\"><label>Code<input name=\"code\" value=\"" + escape_html(form.code) +
             "\" autocomplete=\"off\" required></label><label>E-mail<input type=\"email\" "
             "name=\"email\" autocomplete=\"username\" value=\"" +
             escape_html(form.email) +
             "\" required></label><label>Password<input type=\"password\" name=\"password\" "
             "autocomplete=\"current-password\" required></label><button name=\"action\" "
             "value=\"sign-in\">Sign in</button></form>");
}

// Shows the form, asks the browser when it is pressed, and sends what it answered.
constexpr std::string_view kPasskeyScript =
    "const form = document.getElementById('passkey');"
    "const said = form.querySelector('p');"
    "form.hidden = !window.PublicKeyCredential;"
    "form.querySelector('button').addEventListener('click', async () => {"
    "try {"
    "const publicKey = "
    "PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));"
    "const made = await navigator.credentials.get({ publicKey });"
    "form.elements.passkey.value = JSON.stringify(made.toJSON());"
    "form.submit();"
    "} catch (error) { said.textContent = 'The passkey did not work: ' + error.message; }"
    "});";

struct FactorForm {
    std::string code, pending;
    bool totp = false;
    std::string passkey_options;
};

std::string hidden(std::string_view name, std::string_view value) {
    return "<input type=\"hidden\" name=\"" + std::string(name) + "\" value=\"" +
           escape_html(value) + "\">";
}

std::string factor_form(const FactorForm& form, std::string_view more, std::string_view inner) {
    return "<form method=\"post\" action=\"" + std::string(kPath) + "\"" + std::string(more) + ">" +
           hidden("action", "factor") + hidden("code", form.code) +
           hidden("pending", form.pending) + std::string(inner) + "</form>";
}

void show_factor(const FactorForm& form, int status, std::string_view complaint,
                 Response& response) {
    std::string inner = "<h1>Your second factor</h1>" + alert(complaint);
    if (form.totp)
        inner += factor_form(form, "",
                             "<label>Code of your authenticator app, or a backup code<input "
                             "name=\"factor\" autocomplete=\"one-time-code\" required "
                             "autofocus></label><button>Continue</button>");
    if (form.passkey_options.empty()) return page(response, status, kSignInTitle, inner);
    inner += "<noscript><p>A passkey needs a browser that runs scripts.</p></noscript>" +
             factor_form(form,
                         " id=\"passkey\" hidden data-options=\"" +
                             escape_html(form.passkey_options) + "\"",
                         hidden("passkey", "") +
                             "<p role=\"status\"></p><button type=\"button\">Use a "
                             "passkey</button>");
    page(response, status, kSignInTitle, inner, {kPasskeyScript});
}

// The workspaces that a sign-in may be for.
std::vector<Membership> open_to(Context& context, const Account& account, bool second_factor) {
    auto all = memberships(context.store, account.id);
    std::erase_if(all, [&](const Membership& one) { return one.demands_factor && !second_factor; });
    return all;
}

std::string workspace_choice(const std::vector<Membership>& all) {
    std::string out = "<label>Workspace<select name=\"workspace\">";
    for (const auto& one : all)
        out += "<option value=\"" + one.workspace_id + "\">" + escape_html(one.workspace_name) +
               " (" + std::string(name(one.role)) + ")</option>";
    return out + "</select></label>";
}

void show_decision(Context& context, const AskedLogin& asked, const Account& account,
                   bool second_factor, Response& response) {
    const auto all = open_to(context, account, second_factor);
    if (all.empty())
        return page(response, 403, kSignInTitle,
                    "<p role=\"alert\">None of your workspaces lets you in without a second "
                    "factor. Enrol one first, with <code>svc mfa enroll</code>.</p>");
    const std::string ticket = make_ticket(context.store, asked.id, account.id, second_factor);
    if (ticket.empty()) return show_sign_in({}, 404, "This code is no longer valid.", response);
    page(response, 200, kSignInTitle,
         "<h1>Allow this program?</h1><p>A program that calls itself <b>" +
             escape_html(asked.client) + "</b>, at address " + escape_html(asked.address) +
             ", shows the code <b>" + escape_html(asked.user_code) + "</b>. It would act as " +
             escape_html(account.email) +
             " in one workspace: read, apply and deploy its projects, until you sign it out.</p>"
             "<form method=\"post\" action=\"" +
             kPath + "\"><input type=\"hidden\" name=\"ticket\" value=\"" + ticket + "\">" +
             workspace_choice(all) +
             "<button name=\"action\" value=\"approve\">Allow</button>"
             "<button name=\"action\" value=\"refuse\">Refuse</button></form>");
}

// Reserves a try of the password and one of the code, or neither. Seconds to wait; 0: may try.
int take_tries(LoginThrottle& throttle, const std::string& email, const std::string& remote) {
    if (const int seconds = throttle.take(email, remote)) return seconds;
    const int seconds = throttle.take_of_links(kGuesses, remote);
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
    if (!auth::password::fits_hash(password, account ? account->password_hash : std::string())) {
        context.throttle.give_back(kGuesses, request.remote);
        context.sign_in_notes.failed("POST /cli-login", form.email, request.remote);
        return show_sign_in(form, 401, "E-mail or password is wrong.", response);
    }
    context.throttle.succeeded(form.email, request.remote);
    const auto asked = asked_login(context.store, form.code);
    if (!asked)
        return show_sign_in(form, 404, "This code is not known, or it has expired.", response);
    context.throttle.give_back(kGuesses, request.remote);
    if (const auto factor = ask_factor(context, *account))
        return show_factor({form.code, factor->pending, factor->totp, factor->passkey_options}, 200,
                           "", response);
    show_decision(context, *asked, *account, false, response);
}

// {pending, factor} or {pending, passkey}
void take_factor_form(Context& context, const Request& request, Response& response) {
    FactorForm form{
        query_value(request.body, "code"), query_value(request.body, "pending"), true, {}};
    ShownFactor shown{form.pending, query_value(request.body, "factor"), std::nullopt};
    if (const auto text = query_value(request.body, "passkey"); !text.empty()) {
        const auto parsed = svc::json::parse(text);
        const auto passkey = auth::passkey::read_credential(&parsed.value, "webauthn.get");
        if (!passkey) return show_factor(form, 400, passkey.error().error.message, response);
        shown.passkey = *passkey;
    }
    const FactorEnd end = take_factor(context, shown, request.remote);
    if (end.retry_after > 0) response.header("Retry-After", std::to_string(end.retry_after));
    if (!end.account) {
        note_failed_factor(context, "POST /cli-login", end, request.remote);
        // A new challenge comes with the next sign-in alone; a code may be tried again.
        return show_factor(form, svc::status(end.code), end.message, response);
    }
    response.actor = {Caller::Kind::nobody, end.account->id, end.account->email, {}, {}, {}};
    const auto asked = asked_login(context.store, form.code);
    if (!asked)
        return show_sign_in({"", end.account->email}, 404,
                            "This code is not known, or it has expired.", response);
    show_decision(context, *asked, *end.account, true, response);
}

void take_decision(Context& context, const Request& request, bool approved, Response& response) {
    const Decision decision{query_value(request.body, "ticket"), approved,
                            query_value(request.body, "workspace")};
    const bool sound = !approved || svc::json::is_uuid(decision.workspace_id);
    const auto account = sound ? decide(context.store, decision) : std::nullopt;
    if (!account)
        return page(response, 404, kSignInTitle,
                    "<p role=\"alert\">This sign-in was already approved or refused, or it has "
                    "expired. Start again with <code>svc login</code>.</p>");
    response.workspace_id = approved ? decision.workspace_id : "";
    response.actor = {Caller::Kind::nobody, account->id, account->email, {}, {}, {}};
    page(response, 200, kSignInTitle,
         approved ? "<h1>Allowed</h1><p>You can close this page. <code>svc logout</code> signs the "
                    "program out again.</p>"
                  : "<h1>Refused</h1><p>The program was refused. You can close this page.</p>");
}

void show_form(Context&, const Request& request, Response& response) {
    show_sign_in({query_value(request.query, "code"), ""}, 200, "", response);
}

void take_form(Context& context, const Request& request, Response& response) {
    const bool is_form = request.content_type.starts_with("application/x-www-form-urlencoded");
    if (!is_form || from_elsewhere(request))
        return page(
            response, 403, kSignInTitle,
            "<p role=\"alert\">This form was not sent from its own page. Open the page again.</p>");
    const std::string action = query_value(request.body, "action");
    if (action == "approve" || action == "refuse")
        return take_decision(context, request, action == "approve", response);
    if (action == "factor") return take_factor_form(context, request, response);
    take_sign_in(context, request, response);
}

}  // namespace

void bind_sign_in(RouteTable& pages, RouteTable& table) {
    pages.add({"GET", kPath, Need::nothing, Role::viewer, show_form}, {"code"});
    pages.add({"POST", kPath, Need::nothing, Role::viewer, take_form});
    table.add({"POST", "/cli/login", Need::nothing, Role::viewer, start_login});
    table.add({"POST", "/cli/login/poll", Need::nothing, Role::viewer, poll});
}

}  // namespace svc::devapi
