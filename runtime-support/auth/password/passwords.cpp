// Choosing a password with a link that was mailed: after a reset was asked for, or on an
// invitation.
#include "auth/answer.hpp"
#include "auth/body.hpp"
#include "auth/form.hpp"
#include "auth/link/link_token.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/messages.hpp"
#include "auth/page.hpp"
#include "auth/password/password_rules.hpp"
#include "http/text.hpp"
#include "identity/command.hpp"

namespace svc::auth::password {
namespace {

// The other links of the account end with this one: what was mailed before must not undo it. Its
// sessions end by themselves (svc.end_sessions).
constexpr std::string_view kPasswordSet =
    ", changed as (update svc.account a set password_hash = $3::text,"
    " verified_at = coalesce(verified_at, now()), updated_at = now()"
    " from used where a.id = used.account_id and a.email = used.email and not a.disabled"
    " returning a.id),"
    " gone as (delete from svc.token t using changed c where t.account_id = c.id"
    " and t.purpose in ('reset', 'invite', 'magic') and t.hash <> $1::bytea),"
    " noted as (insert into svc.audit (event, account_id, address)"
    " select 'password_set', id, $4::text from changed)"
    " select id from changed";

// Hashing is expensive, so the server hashes only for a caller with a working link.
Task<Done> link_alive(const Call& call, const std::string& hash, link::TokenPurpose purpose) {
    const db::Param params[] = {hash, base::word(purpose)};
    const std::string sql = "select 1 from svc.token where " + std::string(link::kUsableToken);
    const db::Command command = identity::command("svc_link_alive", sql, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return co_await link::why_not(call.in, hash, purpose);
    co_return Done();
}

Task<Done> set_by_link(const Call& call, const std::string& hash, link::TokenPurpose purpose,
                       std::string_view password) {
    const Done alive = co_await link_alive(call, hash, purpose);
    if (!alive) co_return alive.error();
    const Requester requester = requester_of(hash, call.exchange.remote());
    const auto hashed = co_await call.in.throttles.passwords.hash(requester, std::string(password));
    if (!hashed) co_return hashed.error();
    const std::string sql = link::using_token(kPasswordSet);
    const db::Param params[] = {hash, base::word(purpose), *hashed, call.exchange.remote()};
    const db::Command command = identity::command("svc_password_set", sql, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return co_await link::why_not(call.in, hash, purpose);
    co_return Done();
}

// A reset's and an invitation's link lead to the same page.
Task<Done> set_by_either(const Call& call, const std::string& hash, std::string_view password) {
    const Done reset = co_await set_by_link(call, hash, link::kResetLink.purpose, password);
    if (reset || reset.error().error.code != Code::invalid_token) co_return reset;
    co_return co_await set_by_link(call, hash, link::kInviteLink.purpose, password);
}

// POST /auth/reset/confirm {token, newPassword}
Task<Done> reset_confirm(Call& call) {
    if (!call.in.app.auth.password) co_return link::no_passwords();
    const auto body = read_texts(call.exchange.body(), {"token", "newPassword"});
    if (!body) co_return body.error();
    if (text(*body, "token").empty())
        co_return identity::refusal(Code::missing_token, kNoLinkToken, "token");
    const std::string_view password = text(*body, "newPassword");
    if (auto fit = check_password(call.in.app, password, "newPassword"); !fit)
        co_return fit.error();
    const auto hash = link::shown_token(text(*body, "token"));
    if (!hash) co_return hash.error();
    const Done set = co_await set_by_link(call, *hash, link::kResetLink.purpose, password);
    if (!set) co_return set.error();
    answer_ok(call.exchange);
    co_return Done();
}

std::string form(const Call& call, std::string_view token, std::string_view error) {
    const std::string least = std::to_string(call.in.app.auth.min_password);
    std::string html;
    if (!error.empty())
        html +=
            "<p class=\"error\" role=\"alert\" id=\"problem\">" + http::escape_html(error) + "</p>";
    html +=
        "<form method=\"post\" action=\"set-password\"><input type=\"hidden\" name=\"token\" "
        "value=\"";
    html += http::escape_html(token);
    html += "\"><label for=\"password\">New password</label>";
    html +=
        "<input id=\"password\" name=\"password\" type=\"password\" required minlength=\"" + least;
    html += "\" autocomplete=\"new-password\" aria-describedby=\"least\" autofocus";
    if (!error.empty()) html += " aria-invalid=\"true\"";
    html += "><p class=\"hint\" id=\"least\">At least " + least + " characters.</p>";
    html += "<button class=\"button\">Set password</button></form>";
    return html;
}

// GET /auth/set-password?token=: looking at it uses nothing up.
Task<Done> password_page(Call& call) {
    if (!call.in.app.auth.password) co_return link::no_passwords();
    const std::string token = http::query_param(call.exchange.head().query, "token").value;
    answer_page(call, "Choose your password", form(call, token, ""));
    co_return Done();
}

// A caller who sent a form gets a page, whatever the outcome.
Done on_page(Call& call, const Done& done, std::string_view token) {
    if (done) {
        answer_page(call, "Your password is set",
                    "<p>You can sign in with it now.</p>" + button_to(call, "/sign-in", "Sign in"));
        return done;
    }
    const Error& error = done.error().error;
    if (error.field != "password") {  // no other password helps
        answer_refused_page(call, done.error());
        return Done();
    }
    answer_page(call, "Choose your password", form(call, token, error.message));
    call.exchange.reply().status = status(error.code);
    return Done();
}

// POST /auth/set-password, form or JSON {token, password}
Task<Done> set_password(Call& call) {
    if (!call.in.app.auth.password) co_return link::no_passwords();
    const bool from_page = is_form(call.exchange.head());
    const auto body = from_page ? read_form(call.exchange.body(), {"token", "password"})
                                : read_texts(call.exchange.body(), {"token", "password"});
    if (!body) co_return body.error();
    const std::string_view password = text(*body, "password");
    Done done;
    if (auto fit = check_password(call.in.app, password, "password"); !fit) done = fit.error();
    const auto hash = link::shown_token(text(*body, "token"));
    if (!hash)
        done = hash.error();
    else if (done)
        done = co_await set_by_either(call, *hash, password);
    if (from_page) co_return on_page(call, done, text(*body, "token"));
    if (done) answer_ok(call.exchange);
    co_return done;
}

constexpr std::string_view kPasswordParams[] = {"token"};

constexpr AuthRoute kPasswordRoutes[] = {
    {Method::post, "/auth/reset/confirm", Need::key, reset_confirm},
    {Method::get, "/auth/set-password", Need::nothing, password_page, kPasswordParams},
    {Method::post, "/auth/set-password", Need::nothing, set_password},
};

}  // namespace

std::span<const AuthRoute> routes() { return kPasswordRoutes; }

}  // namespace svc::auth::password
