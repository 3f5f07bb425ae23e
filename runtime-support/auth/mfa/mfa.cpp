// Second factors: enrolling, proving, giving up.
#include <ctime>

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/link/link_token.hpp"
#include "auth/messages.hpp"
#include "auth/mfa/mfa_store.hpp"
#include "auth/mfa/totp.hpp"
#include "auth/session_start.hpp"
#include "base/json_text.hpp"
#include "identity/command.hpp"
#include "identity/user/account.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::mfa {
namespace {

// Each try counts before it is known whether it is right, so parallel tries cannot pass the limit.
constexpr std::string_view kTry =
    "with t as (update svc.token set tries = tries + 1 where hash = $1::bytea and purpose = 'mfa'"
    " and used_at is null and expires_at > now() and tries < 5 returning account_id, data)"
    " select a.id::text, a.email, a.name, a.persona, a.is_admin, a.password_hash, a.disabled, "
    "true, t.data"
    " from t join svc.account a on a.id = t.account_id where not a.disabled";

constexpr std::string_view kTried =
    "update svc.token set used_at = now() where hash = $1::bytea and used_at is null";

void append_codes(std::string& body, const std::vector<std::string>& codes) {
    body = R"({"ok":true,"backupCodes":[)";
    for (const std::string& code : codes) {
        if (body.back() != '[') body += ',';
        base::append_json(body, code);
    }
    body += "]}";
}

void answer_codes(Call& call, const std::vector<std::string>& codes) {
    append_codes(call.exchange.reply().body, codes);
    call.exchange.reply().header("Cache-Control", "no-store");
}

// Counts the try before it is made. Many wrong codes of one account end in waiting, however many
// sign-ins they are spread over.
Task<Done> counted(const Call& call, std::string_view account, Task<Done> attempt) {
    identity::Throttle& codes = call.in.throttles.codes;
    const std::string key(account);
    if (auto fit = take(codes, key, "Too many wrong codes. Try again later."); !fit)
        co_return fit.error();
    const Done came = co_await std::move(attempt);
    if (came)
        codes.reset(key);
    else if (came.error().error.code == Code::invalid_code)
        co_await audit(call, {.event = "mfa_failed", .account_id = account});
    co_return came;
}

Task<Done> enroll_start(Call& call) {
    const User& user = *call.caller->user;
    const std::string secret = make_totp_secret();
    MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const auto begun = co_await factors.begin(call, secret);
    if (!begun) co_return begun.error();
    if (!*begun)
        co_return identity::refusal(Code::conflict,
                                    "A second factor is already enrolled. Disable it first.");
    const std::string url = otpauth_url(call.in.app.name, user.email, secret);
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"secret":)";
    base::append_json(body, base32(secret));
    body += R"(,"otpauthUrl":)";
    base::append_json(body, url);
    body += R"(,"qrSvg":)";
    base::append_json(body, qr_svg(url));
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Done();
}

Task<Done> enroll_confirm(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"code"});
    if (!body) co_return body.error();
    MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const std::vector<std::string> codes = make_backup_codes();
    const Done confirmed = co_await counted(call, call.caller->user->id,
                                            factors.confirm(call, text(*body, "code"), codes));
    if (!confirmed) co_return confirmed.error();
    answer_codes(call, codes);
    co_return Done();
}

// POST /auth/mfa/verify {pending, code}
Task<Done> mfa_verify(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"pending", "code"});
    if (!body) co_return body.error();
    const auto hash = link::shown_token(text(*body, "pending"));
    if (!hash) co_return invalid_code();
    identity::AccountWithText pending;
    const db::Param params[] = {*hash};
    const db::Command tried = identity::command("svc_mfa_try", kTry, params, &pending);
    const db::Outcome outcome = co_await call.in.system.run({&tried, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!pending.account)
        co_return identity::refusal(Code::invalid_code, "This sign-in has expired. Sign in again.");
    const std::string& account = pending.account->user.id;
    MfaStore factors(call.in);
    const Done fits = co_await counted(call, account, factors.use(account, text(*body, "code")));
    if (!fits) co_return fits.error();
    const db::Command done = identity::command("svc_mfa_tried", kTried, params);
    const db::Outcome ended = co_await call.in.system.run({&done, 1});
    if (!ended.ok) co_return identity::refusal(ended);
    if (ended.rows == 0) co_return invalid_code();
    const std::string how = pending.text + "+mfa";
    const auto started = co_await begin_session(call, *pending.account, how, true);
    if (!started) co_return started.error();
    co_return Done();
}

Task<Done> mfa_disable(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"code"});
    if (!body) co_return body.error();
    const User& user = *call.caller->user;
    MfaStore factors(call.in);
    const auto has = co_await factors.find(user.id);
    if (!has) co_return has.error();
    if (!has->passkey && identity::needs_second_factor(call.in.app, user.role))
        co_return identity::refusal(Code::mfa_required, kFactorNeeded);
    const Done used = co_await counted(call, user.id, factors.use(user.id, text(*body, "code")));
    if (!used) co_return used.error();
    const Done removed = co_await factors.remove(call);
    if (!removed) co_return removed.error();
    answer_ok(call.exchange);
    co_return Done();
}

Task<Done> regenerate(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"code"});
    if (!body) co_return body.error();
    const std::string& account = call.caller->user->id;
    MfaStore factors(call.in);
    const Done used = co_await counted(call, account, factors.use(account, text(*body, "code")));
    if (!used) co_return used.error();
    const std::vector<std::string> codes = make_backup_codes();
    const Done replaced = co_await factors.replace_backup_codes(call, codes);
    if (!replaced) co_return replaced.error();
    answer_codes(call, codes);
    co_return Done();
}

constexpr AuthRoute kMfaRoutes[] = {
    {Method::post, "/auth/mfa/enroll/start", Need::enrolment, enroll_start},
    {Method::post, "/auth/mfa/enroll/confirm", Need::enrolment, enroll_confirm},
    {Method::post, "/auth/mfa/verify", Need::key, mfa_verify},
    {Method::post, "/auth/mfa/disable", Need::session, mfa_disable},
    {Method::post, "/auth/mfa/backup-codes/regenerate", Need::session, regenerate},
};

}  // namespace

std::span<const AuthRoute> routes() { return kMfaRoutes; }

}  // namespace svc::auth::mfa
