#include "auth/mfa/mfa_store.hpp"

#include <ctime>

#include "auth/audit.hpp"
#include "auth/held_session.hpp"
#include "auth/mfa/totp.hpp"
#include "base/sha256.hpp"
#include "identity/command.hpp"
#include "identity/token.hpp"
#include "json/formats.hpp"

namespace svc::auth::mfa {
namespace {

constexpr std::string_view kFactors =
    "select m.secret, m.confirmed_at is not null,"
    " exists (select from svc.passkey p where p.account_id = $1::uuid)"
    " from (select $1::uuid as id) a left join svc.mfa m on m.account_id = a.id";

constexpr std::string_view kFactorBegin =
    "insert into svc.mfa (account_id, secret) values ($1::uuid, $2::text)"
    " on conflict (account_id) do update set secret = excluded.secret, created_at = now()"
    " where svc.mfa.confirmed_at is null";

constexpr std::string_view kFactorConfirm =
    "with mine as (update svc.mfa set confirmed_at = now(), last_step = $2::bigint"
    " where account_id = $1::uuid and confirmed_at is null returning account_id),"
    " codes as (insert into svc.backup_code (account_id, hash)"
    " select account_id, unnest($3::bytea[]) from mine),"
    " free as (update svc.session set second_factor = true where hash = $4::bytea"
    " and exists (select from mine)),"
    // Sessions from before know no second factor.
    " ended as (delete from svc.session where account_id = $1::uuid and hash <> $4::bytea"
    " and exists (select from mine)),"
    " noted as (insert into svc.audit (event, account_id, address)"
    " select 'mfa_enrolled', account_id, $5::text from mine)"
    " select 1 from mine";

constexpr std::string_view kStepUse =
    "update svc.mfa set last_step = $2::bigint where account_id = $1::uuid"
    " and confirmed_at is not null and last_step < $2::bigint";

constexpr std::string_view kBackupUse =
    "update svc.backup_code set used_at = now() where account_id = $1::uuid"
    " and hash = $2::bytea and used_at is null";

constexpr std::string_view kFactorRemove =
    "with codes as (delete from svc.backup_code where account_id = $1::uuid)"
    " delete from svc.mfa where account_id = $1::uuid";

constexpr std::string_view kBackupReplace =
    "with gone as (delete from svc.backup_code where account_id = $1::uuid"
    " and hash <> all ($2::bytea[]))"
    " insert into svc.backup_code (account_id, hash) select $1::uuid, unnest($2::bytea[])";

class FactorRow : public db::RowSink {
  public:
    explicit FactorRow(const identity::Sealer& sealer) : sealer_(sealer) {}
    void row(const Row& row) override {
        // A secret that cannot be decrypted is still a factor, and a sign-in still asks for it.
        if (!row.null(0))
            factors.totp = Factor{sealer_.unseal(row.text(0)).value_or(""), row.text(1) == "t"};
        factors.passkey = row.text(2) == "t";
    }
    Factors factors;

  private:
    const identity::Sealer& sealer_;
};

// An account's codes are not another's, whatever they are.
std::string backup_hash(std::string_view account_id, std::string_view code) {
    const std::string text = std::string(account_id) + ' ' + normalised_backup_code(code);
    return identity::bytea_text(base::sha256(text));
}

}  // namespace

identity::Refusal invalid_code() {
    return identity::refusal(Code::invalid_code, "The code is wrong, or it was already used.",
                             "code");
}

MfaStore::MfaStore(const Context& in) : in_(in), sealer_(in.settings.secret, "mfa") {}

Task<identity::Result<Factors>> MfaStore::find(std::string_view account_id) {
    FactorRow row(sealer_);
    const db::Param params[] = {account_id};
    const db::Command command = identity::command("svc_factors", kFactors, params, &row);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    row.factors.passkey = row.factors.passkey && in_.app.auth.passkey;
    co_return std::move(row.factors);
}

Task<Done> MfaStore::may_enrol(const Caller& caller) {
    if (caller.second_factor) co_return Done();
    const auto factors = co_await find(caller.user->id);
    if (!factors) co_return factors.error();
    if (caller.enrol_only && factors->any())
        co_return identity::refusal(Code::mfa_required, "Sign in with your second factor first.");
    co_return Done();
}

Task<identity::Result<bool>> MfaStore::begin(const Call& call, std::string_view secret) {
    const std::string sealed = sealer_.seal(secret);
    const db::Param params[] = {call.caller->user->id, sealed};
    const HeldSession held(call);
    const db::Command commands[] = {held.command(),
                                    identity::command("svc_factor_begin", kFactorBegin, params)};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return outcome.rows > 0;
}

std::string MfaStore::hashes(std::string_view account_id,
                             const std::vector<std::string>& codes) const {
    std::vector<std::string> out;
    out.reserve(codes.size());
    for (const std::string& code : codes) out.push_back(backup_hash(account_id, code));
    return json::array_literal(out);
}

Task<Done> MfaStore::confirm(const Call& call, std::string_view code,
                             const std::vector<std::string>& backup_codes) {
    const std::string& account = call.caller->user->id;
    const auto factors = co_await find(account);
    if (!factors) co_return factors.error();
    if (!factors->totp || factors->totp->confirmed)
        co_return identity::refusal(Code::conflict, "Start with POST /auth/mfa/enroll/start.");
    const auto step = totp_step(factors->totp->secret, code, std::time(nullptr));
    if (!step) co_return invalid_code();
    const std::string steps = std::to_string(*step);
    const std::string codes = hashes(account, backup_codes);
    const db::Param params[] = {account, steps, codes, call.caller->session_hash,
                                call.exchange.remote()};
    const HeldSession held(call);
    const db::Command commands[] = {
        held.command(), identity::command("svc_factor_confirm", kFactorConfirm, params)};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    in_.identifier.sessions().forget(call.caller->session_hash);
    if (outcome.rows == 0) co_return invalid_code();
    co_return Done();
}

Task<Done> MfaStore::use(std::string_view account_id, std::string_view code) {
    const auto factors = co_await find(account_id);
    if (!factors) co_return factors.error();
    if (!factors->confirmed()) co_return invalid_code();
    const auto step = totp_step(factors->totp->secret, code, std::time(nullptr));
    const std::string second =
        step ? std::to_string(*step) : backup_hash(account_id, normalised_backup_code(code));
    const db::Param params[] = {account_id, second};
    const db::Command command = step ? identity::command("svc_step_use", kStepUse, params)
                                     : identity::command("svc_backup_use", kBackupUse, params);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return invalid_code();
    co_return Done();
}

Task<Done> MfaStore::remove(const Call& call) {
    const std::string& account = call.caller->user->id;
    const db::Param params[] = {account};
    const AuditRow noted(call, {.event = "mfa_disabled", .account_id = account});
    const HeldSession held(call);
    const db::Command commands[] = {held.command(),
                                    identity::command("svc_factor_remove", kFactorRemove, params),
                                    noted.command()};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return Done();
}

Task<Done> MfaStore::replace_backup_codes(const Call& call, const std::vector<std::string>& codes) {
    const std::string& account = call.caller->user->id;
    const std::string hashed = hashes(account, codes);
    const db::Param params[] = {account, hashed};
    const AuditRow noted(call, {.event = "mfa_backup_codes", .account_id = account});
    const HeldSession held(call);
    const db::Command commands[] = {held.command(),
                                    identity::command("svc_backup_replace", kBackupReplace, params),
                                    noted.command()};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return Done();
}

}  // namespace svc::auth::mfa
