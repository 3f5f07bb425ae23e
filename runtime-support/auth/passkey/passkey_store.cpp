#include "auth/passkey/passkey_store.hpp"

#include "auth/held_session.hpp"
#include "base/base64url.hpp"
#include "base/number.hpp"
#include "base/sha256.hpp"
#include "identity/command.hpp"
#include "identity/token.hpp"
#include "json/formats.hpp"

namespace svc::auth::passkey {
namespace {

constexpr std::string_view kChallengeMake =
    "insert into svc.token (hash, purpose, account_id, expires_at)"
    " values ($1::bytea, $2::text, $3::uuid, now() + interval '5 minutes')";

constexpr std::string_view kChallengeTake =
    "delete from svc.token where hash = $1::bytea and purpose = $2::text and expires_at > now()"
    " and account_id is not distinct from $3::uuid";

constexpr std::string_view kDescriptors =
    "select json_build_object('type', 'public-key', 'id', p.credential,"
    " 'transports', p.transports)::text"
    " from svc.passkey p where p.account_id = $1::uuid order by p.created_at, p.id";

constexpr std::string_view kPasskeys =
    "select svc.passkey_json(p) from svc.passkey p where p.account_id = $1::uuid"
    " order by p.created_at, p.id";

constexpr std::string_view kPasskeyAdd =
    "with mine as (insert into svc.passkey as p (account_id, credential, algorithm, public_key,"
    " sign_count, transports, name) select $1::uuid, $2::text, $3::integer, $4::text, $5::bigint,"
    " $6::text[], $7::text"
    " where (select count(*) from svc.passkey o where o.account_id = $1::uuid) < 20"
    " on conflict (credential) do nothing returning svc.passkey_json(p) as shown),"
    " free as (update svc.session set second_factor = true where hash = $8::bytea"
    " and exists (select from mine)),"
    " noted as (insert into svc.audit (event, account_id, detail, address)"
    " select 'passkey_added', $1::uuid, $7::text, $9::text from mine)"
    " select shown from mine";

constexpr std::string_view kPasskeyRemove =
    "with mine as (select id, name from svc.passkey where id = $2::uuid and account_id = $1::uuid),"
    " gone as (delete from svc.passkey p using mine where p.id = mine.id and (not $3::boolean"
    " or exists (select from svc.mfa m where m.account_id = $1::uuid and m.confirmed_at is not "
    "null)"
    " or exists (select from svc.passkey o where o.account_id = $1::uuid and o.id <> mine.id))"
    " returning mine.name),"
    " noted as (insert into svc.audit (event, account_id, detail, address)"
    " select 'passkey_removed', $1::uuid, name, $4::text from gone)"
    " select exists (select from gone) from mine";

constexpr std::string_view kPasskeyFind =
    "select a.id::text, a.email, a.name, a.persona, a.is_admin, a.password_hash, a.disabled,"
    " a.verified_at is not null, p.id::text, p.algorithm::text, p.public_key"
    " from svc.passkey p join svc.account a on a.id = p.account_id where p.credential = $1::text";

constexpr std::string_view kPasskeyUse =
    "update svc.passkey set sign_count = $2::bigint, last_used_at = now() where id = $1::uuid"
    " and (sign_count < $2::bigint or (sign_count = 0 and $2::bigint = 0))";

class PasskeyRow : public identity::AccountRow {
  public:
    void row(const Row& row) override {
        AccountRow::row(row);
        passkey.id = row.text(8);
        passkey.key.algorithm = base::number_of(row.text(9), passkey.key.algorithm);
        passkey.key.bytes = base::base64url_decoded(row.text(10)).value_or("");
    }
    KnownPasskey passkey;
};

class WasRemoved : public db::RowSink {
  public:
    void row(const Row& row) override {
        end = row.text(0) == "t" ? PasskeyEnd::gone : PasskeyEnd::needed;
    }
    PasskeyEnd end = PasskeyEnd::unknown;
};

std::string_view challenge_purpose(std::string_view account_id) {
    return account_id.empty() ? "passkey" : "passkey_new";
}

db::Param account_param(std::string_view account_id) {
    return account_id.empty() ? db::Param() : db::Param(account_id);
}

}  // namespace

Task<identity::Result<std::string>> PasskeyStore::challenge(std::string_view account_id) {
    const std::string value = identity::random_token("");
    const std::string hash = identity::bytea_text(base::sha256(value));
    const db::Param params[] = {hash, challenge_purpose(account_id), account_param(account_id)};
    const db::Command command = identity::command("svc_challenge", kChallengeMake, params);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return value;
}

Task<identity::Result<bool>> PasskeyStore::take_challenge(std::string_view challenge,
                                                          std::string_view account_id) {
    const std::string hash = identity::bytea_text(base::sha256(challenge));
    const db::Param params[] = {hash, challenge_purpose(account_id), account_param(account_id)};
    const db::Command command = identity::command("svc_challenge_take", kChallengeTake, params);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return outcome.rows > 0;
}

Task<identity::Result<JsonRows>> PasskeyStore::descriptors(std::string_view account_id) {
    const db::Param params[] = {account_id};
    co_return co_await json_rows(in_, "svc_passkey_descriptors", kDescriptors, params);
}

Task<identity::Result<JsonRows>> PasskeyStore::list(std::string_view account_id) {
    const db::Param params[] = {account_id};
    co_return co_await json_rows(in_, "svc_passkeys", kPasskeys, params);
}

Task<identity::Result<JsonRows>> PasskeyStore::add(const Call& call, const NewPasskey& made,
                                                   const std::vector<std::string>& transports,
                                                   std::string_view name) {
    const std::string credential = base::base64url(made.credential);
    const std::string algorithm = std::to_string(made.key.algorithm);
    const std::string key = base::base64url(made.key.bytes);
    const std::string count = std::to_string(made.sign_count);
    const std::string ways = json::array_literal(transports);
    const db::Param params[] = {call.caller->user->id,
                                credential,
                                algorithm,
                                key,
                                count,
                                ways,
                                name,
                                call.caller->session_hash,
                                call.exchange.remote()};
    auto added = co_await held_json_rows(call, "svc_passkey_add", kPasskeyAdd, params);
    if (!added) co_return added.error();
    if (added->count == 0)
        co_return identity::refusal(
            Code::conflict,
            "This passkey is already registered, or the account already has twenty passkeys.");
    in_.identifier.sessions().forget(call.caller->session_hash);
    co_return added;
}

Task<identity::Result<PasskeyEnd>> PasskeyStore::remove(const Call& call, bool must_have_factor) {
    const std::string& account = call.caller->user->id;
    const HeldSession held(call);
    const db::Param params[] = {account, call.id, must_have_factor ? "true" : "false",
                                call.exchange.remote()};
    WasRemoved was;
    const db::Command commands[] = {
        held.command(),  // of two that are removed at the same time, the second is judged later
        identity::command("svc_passkey_remove", kPasskeyRemove, params, &was)};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return was.end;
}

Task<identity::Result<std::optional<KnownPasskey>>> PasskeyStore::find(
    std::string_view credential) {
    PasskeyRow row;
    const db::Param params[] = {credential};
    const db::Command command = identity::command("svc_passkey", kPasskeyFind, params, &row);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!row.account) co_return std::nullopt;
    row.passkey.account = std::move(*row.account);
    co_return std::move(row.passkey);
}

Task<identity::Result<bool>> PasskeyStore::use(const KnownPasskey& passkey,
                                               std::uint32_t sign_count) {
    const std::string count = std::to_string(sign_count);
    const db::Param params[] = {passkey.id, count};
    const db::Command command = identity::command("svc_passkey_use", kPasskeyUse, params);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return outcome.rows > 0;
}

}  // namespace svc::auth::passkey
