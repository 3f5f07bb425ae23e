#include "auth/session_start.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/link_token.hpp"
#include "auth/mfa_store.hpp"
#include "http/json_text.hpp"
#include "identity/command.hpp"
#include "identity/personas.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kPending =
    "insert into svc.token (hash, purpose, account_id, email, data, expires_at)"
    " values ($1::bytea, 'mfa', $2::uuid, $3::text, $4::text, now() + interval '10 minutes')";

Task<identity::Result<Started>> ask_for_factor(const Call& call, const identity::Account& account,
                                               std::string_view how) {
    const LinkToken token;
    const db::Param params[] = {token.hash, account.user.id, account.user.email, how};
    const db::Command command = identity::command("svc_mfa_pending", kPending, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"needsMfa":true,"pending":)";
    http::append_json(body, token.value);
    body += R"(,"user":)";
    append_user(body, account.user);
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Started{};
}

}  // namespace

Task<identity::Result<Started>> begin_session(const Call& call, const identity::Account& account,
                                              std::string_view how, bool enrol_only) {
    const identity::NewSession session(call.in.app, account, enrol_only);
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
        entry.detail = "the account was changed meanwhile";
        co_await audit(call, entry);
        co_return identity::refusal(Code::invalid_credentials,
                                    "This account was changed just now. Sign in again.");
    }
    answer_signed_in(call, account.user, session.token(),
                     enrol_only ? R"(,"mfaEnrollRequired":true)" : "");
    co_return Started{session.token()};
}

Task<identity::Result<Started>> start_session(const Call& call, const identity::Account& account,
                                              std::string_view how) {
    MfaStore factors(call.in);
    const auto factor = co_await factors.find(account.user.id);
    if (!factor) co_return factor.error();
    if (*factor && (*factor)->confirmed) co_return co_await ask_for_factor(call, account, how);
    const Persona* persona = identity::find_persona(call.in.app, account.user.role);
    const bool enrol_only = persona && persona->mfa_required;
    co_return co_await begin_session(call, account, how, enrol_only);
}

}  // namespace svc::auth
