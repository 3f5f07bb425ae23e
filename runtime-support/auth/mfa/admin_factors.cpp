#include "auth/mfa/admin_factors.hpp"

#include "auth/answer.hpp"
#include "auth/messages.hpp"
#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "identity/command.hpp"

namespace svc::auth::mfa {
namespace {

// A lost factor ends everything that depended on it: the app, its codes, passkeys, sessions, and
// sign-ins that were not complete.
constexpr std::string_view kFactorsRemove =
    "with a as (select id, email from svc.account where id = $1::uuid),"
    " app as (delete from svc.mfa f using a where f.account_id = a.id),"
    " codes as (delete from svc.backup_code c using a where c.account_id = a.id),"
    " keys as (delete from svc.passkey p using a where p.account_id = a.id),"
    " sessions as (delete from svc.session s using a where s.account_id = a.id),"
    " begun as (delete from svc.token t using a where t.account_id = a.id"
    " and t.purpose in ('mfa', 'oauth_code', 'passkey_new')),"
    " noted as (insert into svc.audit (event, account_id, actor_id, email, address)"
    " select 'mfa_removed', id, $2::uuid, email, $3::text from a)"
    " select 1 from a";

}  // namespace

Task<Done> remove_factors(Call& call) {
    const std::string& actor = call.caller->user->id;
    // The caller's own factor needs a code: a stolen session must not be enough.
    if (base::iequals(call.id, actor))
        co_return identity::refusal(
            Code::self_lockout,
            "You cannot take your own second factor away here. Use POST /auth/mfa/disable.");
    const identity::Refusal nobody = identity::refusal(Code::not_found, kNoSuchAccount);
    if (!base::is_uuid(call.id)) co_return nobody;
    const db::Param params[] = {call.id, actor, call.exchange.remote()};
    const db::Command command = identity::command("svc_factors_remove", kFactorsRemove, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return nobody;
    answer_ok(call.exchange);
    co_return Done();
}

}  // namespace svc::auth::mfa
