#include "routes/account/sign_in_form.hpp"

#include "auth/password/argon2.hpp"
#include "base/formats.hpp"
#include "http/fields.hpp"
#include "json/value.hpp"
#include "routes/account/page.hpp"
#include "routes/account/second_factor.hpp"
#include "routes/account/sign_in_page.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kGuesses = "code of a client";  // counted like an account

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
        return show_sign_in(form, 429, kTooManyTries, response);
    }
    const auto account =
        password.size() <= 800 ? find_account(context.store, form.email) : std::optional<Account>();
    if (!auth::password::fits_hash(password, account ? account->password_hash : std::string())) {
        context.throttle.give_back(kGuesses, request.remote);
        context.sign_in_notes.failed("POST /cli-login", form.email, request.remote);
        return show_sign_in(form, 401, "E-mail or password is wrong.", response);
    }
    context.throttle.succeeded(form.email, request.remote);
    const auto asked = find_pending_login(context.store, form.code);
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
    FactorResponse shown{form.pending, query_value(request.body, "factor"), std::nullopt};
    if (const auto text = query_value(request.body, "passkey"); !text.empty()) {
        const auto parsed = svc::json::parse(text);
        const auto passkey =
            auth::passkey::read_credential(&parsed.value, auth::passkey::Ceremony::get);
        if (!passkey) return show_factor(form, 400, passkey.error().error.message, response);
        shown.passkey = *passkey;
    }
    const FactorResult end = verify_factor(context, shown, request.remote);
    if (end.retry_after > 0) response.header("Retry-After", std::to_string(end.retry_after));
    if (!end.account) {
        note_failed_factor(context, "POST /cli-login", end, request.remote);
        // A new challenge comes with the next sign-in alone; a code may be tried again.
        return show_factor(form, svc::status(end.code), end.message, response);
    }
    response.actor = {Caller::Kind::nobody, end.account->id, end.account->email, {}, {}, {}};
    const auto asked = find_pending_login(context.store, form.code);
    if (!asked)
        return show_sign_in({"", end.account->email}, 404,
                            "This code is not known, or it has expired.", response);
    show_decision(context, *asked, *end.account, true, response);
}

void take_decision(Context& context, const Request& request, bool approved, Response& response) {
    const Decision decision{query_value(request.body, "ticket"), approved,
                            query_value(request.body, "workspace")};
    const bool sound = !approved || base::is_uuid(decision.workspace_id);
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

}  // namespace

void show_login_form(Context&, const Request& request, Response& response) {
    show_sign_in({query_value(request.query, "code"), ""}, 200, "", response);
}

void take_login_form(Context& context, const Request& request, Response& response) {
    const bool is_form = request.content_type.starts_with("application/x-www-form-urlencoded");
    if (!is_form || from_another_site(request))
        return page(response, 403, kSignInTitle, alert(kForeignForm));
    const std::string action = query_value(request.body, "action");
    if (action == "approve" || action == "refuse")
        return take_decision(context, request, action == "approve", response);
    if (action == "factor") return take_factor_form(context, request, response);
    take_sign_in(context, request, response);
}

}  // namespace svc::devapi
