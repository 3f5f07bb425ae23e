#include "auth/session_start.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/link/link_token.hpp"
#include "auth/mfa/mfa_store.hpp"
#include "base/json_text.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kPending =
    "insert into svc.token (hash, purpose, account_id, email, data, expires_at)"
    " values ($1::bytea, 'mfa', $2::uuid, $3::text, $4::text, now() + interval '10 minutes')";

// The methods that may complete a sign-in. An account that has only an authenticator app gets the
// same text as always.
std::string_view methods_of(const mfa::Factors& factors) {
    if (!factors.passkey) return {};
    return factors.confirmed() ? R"(,"methods":["totp","passkey"])" : R"(,"methods":["passkey"])";
}

Task<identity::Result<SignInResult>> ask_for_factor(const Call& call,
                                                    const identity::Account& account,
                                                    std::string_view how,
                                                    const mfa::Factors& factors) {
    const link::LinkToken token;
    const db::Param params[] = {token.hash, account.user.id, account.user.email, how};
    const db::Command command = identity::command("svc_mfa_pending", kPending, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"needsMfa":true,"pending":)";
    base::append_json(body, token.value);
    body += R"(,"user":)";
    append_user(body, account.user);
    body += methods_of(factors);
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
    SignInResult out;
    out.pending = token.value;
    out.code = factors.confirmed();
    co_return out;
}

}  // namespace

Task<identity::Result<SignInResult>> begin_session(const Call& call,
                                                   const identity::Account& account,
                                                   std::string_view how, bool second_factor) {
    const http::Head& head = call.exchange.head();
    const identity::NewSession session(
        call.in.app, account, second_factor,
        {identity::session_cookie(head), head.header(identity::kSessionHeader)});
    AuditRow::Entry entry;
    entry.event = "login";
    entry.account_id = account.user.id;
    entry.email = account.user.email;
    entry.detail = how;
    const AuditRow noted(call, entry);
    const db::Command commands[] = {noted.command(), session.command()};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) {
        entry.event = "login_failed";
        entry.detail = "the account has changed in the meantime";
        co_await audit(call, entry);
        co_return identity::refusal(Code::invalid_credentials,
                                    "This account has just been changed. Sign in again.");
    }
    const bool must_enrol =
        !second_factor && identity::needs_second_factor(call.in.app, account.user.role);
    answer_signed_in(call, account.user, session.token(),
                     must_enrol ? R"(,"mfaEnrollRequired":true)" : "");
    SignInResult out;
    out.token = session.token();
    co_return out;
}

Task<identity::Result<SignInResult>> start_session(const Call& call,
                                                   const identity::Account& account,
                                                   std::string_view how) {
    mfa::MfaStore store(call.in);
    const auto factors = co_await store.find(account.user.id);
    if (!factors) co_return factors.error();
    // A passkey is another way in; who must have a second factor, and has this one, shows it.
    const bool by_passkey =
        factors->passkey && identity::needs_second_factor(call.in.app, account.user.role);
    if (factors->confirmed() || by_passkey)
        co_return co_await ask_for_factor(call, account, how, *factors);
    co_return co_await begin_session(call, account, how, false);
}

}  // namespace svc::auth
