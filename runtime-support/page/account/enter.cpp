// Sends the sign-in forms to the routes of accounts.
#include <algorithm>

#include "base/json_text.hpp"
#include "page/account/passkey.hpp"
#include "page/account/sign_in.hpp"
#include "page/answer.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kMailed =
    "If this address has an account, a mail is on its way. Its link works once.";

void set_problem(Visit& visit, const Answer& answer) {
    Problems problems;
    const std::string field = answer.error("field");
    const std::string message = account_words(answer);
    if (field == "email" || field == "password" || field == "name" || field == "code")
        problems.fields.emplace_back(field, message);
    else
        problems.whole = message;
    visit.problems = std::move(problems);
}

void set_problem(Visit& visit, std::string_view field, std::string words) {
    if (!visit.problems) visit.problems.emplace();
    if (field.empty())
        visit.problems->whole = std::move(words);
    else
        visit.problems->fields.emplace_back(field, std::move(words));
}

// If there is no list, only a code is offered.
void read_methods(const Answer& answer, SignInState& state) {
    const Json* methods = answer.body.find("methods");
    if (!methods) return;
    const auto has = [&](std::string_view method) {
        return std::ranges::any_of(methods->items,
                                   [&](const Json& one) { return one.text == method; });
    };
    state.code = has("totp");
    state.passkey = has("passkey");
}

// Takes the result of a sign-in: a session, or what is still to be shown.
Progress entered(Visit& visit, SignInState& state, const Answer& answer) {
    if (!answer.ok()) {
        set_problem(visit, answer);
        return Progress::goes_on;
    }
    if (const Json* needs = answer.body.find("needsMfa"); needs && needs->text == "true") {
        state.pending = answer.body.text_of("pending");
        read_methods(answer, state);
        visit.problems.reset();
        return Progress::goes_on;
    }
    if (const Json* pending = answer.body.find("pending"); pending && pending->text == "true") {
        state.mailed = visit.app().auth.password
                           ? "The link in it confirms your address. Then you can sign in."
                           : "The link in it confirms your address and lets you in.";
        return Progress::goes_on;
    }
    visit.exchange.reply().extra_headers += answer.cookies;
    const Json* enrol = answer.body.find("mfaEnrollRequired");
    std::string next = next_of(visit);
    if (next.empty()) next = state.then.empty() ? "/" : state.then;
    if (enrol && enrol->text == "true") next = "/account";
    go_on(visit, next, enrol ? "" : "in");
    return Progress::answered;
}

Task<Progress> login(Visit& visit, SignInState& state) {
    if (visit.form.text("email").empty()) set_problem(visit, "email", "Fill in your e-mail.");
    if (visit.form.text("password").empty())
        set_problem(visit, "password", "Fill in your password.");
    if (visit.problems) co_return Progress::goes_on;
    std::string body =
        body_of({{"email", visit.form.text("email")}, {"password", visit.form.text("password")}});
    const Answer answer =
        co_await visit.api.send("POST", "/auth/login", std::move(body), std::string());
    co_return entered(visit, state, answer);
}

Task<Progress> sign_up(Visit& visit, SignInState& state) {
    if (visit.form.text("email").empty()) set_problem(visit, "email", "Fill in your e-mail.");
    const bool password = visit.app().auth.password;
    if (password && visit.form.text("password").empty())
        set_problem(visit, "password", "Choose a password.");
    if (visit.problems) co_return Progress::goes_on;
    std::string body = body_of(
        {{"email", visit.form.text("email")},
         {"name", visit.form.text("name")},
         {password ? "password" : "", visit.form.text("password")},
         {visit.form.text("persona").empty() ? "" : "persona", visit.form.text("persona")}});
    const Answer answer =
        co_await visit.api.send("POST", "/auth/signup", std::move(body), std::string());
    co_return entered(visit, state, answer);
}

Task<Progress> ask_mail(Visit& visit, SignInState& state, std::string path) {
    if (visit.form.text("email").empty()) {
        set_problem(visit, "email", "Fill in your e-mail.");
        co_return Progress::goes_on;
    }
    std::string body = body_of({{"email", visit.form.text("email")}});
    const Answer answer =
        co_await visit.api.send("POST", std::move(path), std::move(body), std::string());
    if (answer.ok())
        state.mailed = kMailed;
    else
        set_problem(visit, answer);
    co_return Progress::goes_on;
}

}  // namespace

std::string body_of(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    std::string out = "{";
    for (const auto& [name, value] : members) {
        if (name.empty()) continue;
        if (out.size() > 1) out += ',';
        base::append_json(out, name);
        out += ':';
        base::append_json(out, value);
    }
    return out + "}";
}

std::string account_words(const Answer& answer) {
    const std::string code = answer.error("code");
    if (code == name(Code::email_taken)) return "This address has an account already. Sign in.";
    if (code == name(Code::invalid_email)) return "This is not a valid e-mail address.";
    if (code == name(Code::conflict))
        return "This has changed in the meantime. Open the page again.";
    if (answer.status >= 500) return "This did not work right now. Try again in a moment.";
    const std::string message = answer.error("message");
    // A person cannot fix what is wrong with the request itself.
    const bool of_request =
        code == name(Code::missing_query) || message.starts_with('"') || message.empty();
    return of_request ? "This did not work. Try again." : message;
}

Task<Progress> enter(Visit& visit, SignInState& state) {
    const std::string_view act = visit.form.text("_do");
    if (act == "login" || act.empty()) co_return co_await login(visit, state);
    if (act == "signup") co_return co_await sign_up(visit, state);
    if (act == "magic") co_return co_await ask_mail(visit, state, "/auth/magic/request");
    if (act == "reset") co_return co_await ask_mail(visit, state, "/auth/reset/request");
    std::string path, body;
    if (act == "passkey") {
        path = "/auth/passkeys/login/finish";
        body = passkey_body(visit);
    } else if (act == "oauth") {
        path = "/auth/oauth/complete";
        body = body_of({{"code", visit.form.text("code")}});
    } else {
        state.pending = visit.form.text("pending");
        path = "/auth/mfa/verify";
        body = body_of({{"pending", state.pending}, {"code", visit.form.text("code")}});
    }
    if (body.empty()) {
        set_problem(visit, "", "Your browser has shown no passkey. Try again.");
        co_return Progress::goes_on;
    }
    const Answer answer =
        co_await visit.api.send("POST", std::move(path), std::move(body), std::string());
    // A code that is wrong may be tried again; a sign-in that has expired may not.
    if (answer.error("code") == name(Code::invalid_token) ||
        answer.error("code") == name(Code::token_used))
        state.pending.clear();
    co_return entered(visit, state, answer);
}

Task<> leave(Visit& visit) {
    const Answer answer =
        co_await visit.api.send("POST", "/auth/logout", std::string(), std::string());
    visit.exchange.reply().extra_headers += answer.cookies;
    if (answer.ok())
        go_on(visit, "/", "out");
    else
        answer_problem(visit, 503, "You are still signed in",
                       "The sign-out did not work right now. Try again in a moment.");
}

}  // namespace svc::page
