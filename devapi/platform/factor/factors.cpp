#include "platform/factor/factors.hpp"

#include <ctime>
#include <nlohmann/json.hpp>

#include "auth/mfa/totp.hpp"
#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "log/log.hpp"
#include "platform/account/accounts.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kFactorKeyIdBytes = 8;

// An account's codes are not another's, whatever they are.
std::string backup_hash(const std::string& user_id, const std::string& code) {
    return base::sha256_hex(user_id + ' ' + auth::mfa::normalised_backup_code(code));
}

std::string hash_list(const std::string& user_id, const std::vector<std::string>& codes) {
    nlohmann::json out = nlohmann::json::array();
    for (const auto& code : codes) out.push_back(backup_hash(user_id, code));
    return out.dump();
}

void put_codes(pqxx::work& tx, const std::string& user_id, const std::vector<std::string>& codes) {
    tx.exec_params0("delete from account_backup_code where user_id = $1", user_id);
    tx.exec_params0(
        "insert into account_backup_code (user_id, hash) select $1::uuid, * from "
        "jsonb_array_elements_text($2::jsonb)",
        user_id, hash_list(user_id, codes));
}

// Changes of one account's factors and sign-ins of it come one after another: a sign-in that saw no
// factor ends before the factor is there, or sees it.
void lock_account(pqxx::work& tx, const std::string& user_id) {
    tx.exec_params("select from account where id = $1 for update", user_id);
}

}  // namespace

void end_others(pqxx::work& tx, const std::string& user_id, const std::string& session_id) {
    tx.exec_params0("delete from session where user_id = $1 and id::text <> $2", user_id,
                    session_id);
    tx.exec_params0("update session set second_factor = has_factor($1) where user_id = $1",
                    user_id);
    tx.exec_params0(
        "update cli_login set ticket_hash = null where user_id = $1 and decision is null", user_id);
    tx.exec_params0("delete from factor_step where user_id = $1", user_id);
}

Factors::Factors(Store& store, const std::string& master_key)
    : store_(store),
      key_(base::derive_key(master_key, "builders' second factors")),
      key_id_(base::hex(base::derive_key(master_key, "id of the key of builders' second factors"))
                  .substr(0, 2 * kFactorKeyIdBytes)) {}

EnrolledFactors Factors::of(const std::string& user_id) const {
    return store_.transact([&](pqxx::work& tx) {
        const auto row = tx.exec_params1(
            "select exists (select from account_totp where user_id = $1 and confirmed_at is not "
            "null), (select count(*) from account_backup_code where user_id = $1 and used_at is "
            "null), (select count(*) from account_passkey where user_id = $1)",
            user_id);
        return EnrolledFactors{row[0].as<bool>(), row[1].as<int>(), row[2].as<int>()};
    });
}

std::optional<std::string> Factors::begin(const std::string& user_id) {
    const std::string raw = auth::mfa::make_totp_secret();
    return store_.transact([&](pqxx::work& tx) -> std::optional<std::string> {
        const auto rows = tx.exec_params(
            "insert into account_totp as t (user_id, sealed, key_id) values ($1, decode($2, "
            "'hex'), $3) on conflict (user_id) do update set sealed = excluded.sealed, key_id = "
            "excluded.key_id, created_at = now() where t.confirmed_at is null returning user_id",
            user_id, base::hex(base::seal(key_, user_id, raw)), key_id_);
        return rows.empty() ? std::nullopt : std::optional(raw);
    });
}

std::optional<Factors::Secret> Factors::secret_of(const std::string& user_id) const {
    const auto rows = store_.transact([&](pqxx::work& tx) {
        return tx.exec_params(
            "select encode(sealed, 'hex'), confirmed_at is not null from account_totp where "
            "user_id = $1",
            user_id);
    });
    if (rows.empty()) return std::nullopt;
    const auto raw = base::unseal(key_, user_id, base::unhex(rows[0][0].c_str()).value_or(""));
    if (!raw)
        log::write(log::Level::warning, "factor_does_not_open",
                   {{"account", user_id}, {"what", "another master key sealed it"}});
    return Secret{raw.value_or(""), rows[0][1].as<bool>()};
}

bool Factors::confirm(const std::string& user_id, const std::string& session_id,
                      const std::string& code, const std::vector<std::string>& backup_codes) {
    const auto secret = secret_of(user_id);
    if (!secret || secret->confirmed) return false;
    const auto step = auth::mfa::totp_step(secret->raw, code, std::time(nullptr));
    if (!step) return false;
    return store_.transact([&](pqxx::work& tx) {
        lock_account(tx, user_id);
        const auto rows = tx.exec_params(
            "update account_totp set confirmed_at = now(), last_step = $2::bigint where user_id = "
            "$1 and "
            "confirmed_at is null returning user_id",
            user_id, *step);
        if (rows.empty()) return false;
        put_codes(tx, user_id, backup_codes);
        end_others(tx, user_id, session_id);
        return true;
    });
}

bool Factors::use(const std::string& user_id, const std::string& code) {
    const auto secret = secret_of(user_id);
    if (!secret || !secret->confirmed) return false;
    const auto step = auth::mfa::totp_step(secret->raw, code, std::time(nullptr));
    return store_.transact([&](pqxx::work& tx) {
        const auto rows =
            step ? tx.exec_params(
                       "update account_totp set last_step = $2::bigint where user_id = $1 and "
                       "confirmed_at is not null and last_step < $2::bigint returning user_id",
                       user_id, *step)
                 : tx.exec_params(
                       "update account_backup_code set used_at = now() where user_id = $1 and "
                       "hash = $2 and used_at is null returning user_id",
                       user_id, backup_hash(user_id, code));
        return !rows.empty();
    });
}

void Factors::replace_backup_codes(const std::string& user_id,
                                   const std::vector<std::string>& backup_codes) {
    store_.transact([&](pqxx::work& tx) {
        lock_account(tx, user_id);
        put_codes(tx, user_id, backup_codes);
    });
}

void Factors::remove(const std::string& user_id, const std::string& session_id) {
    store_.transact([&](pqxx::work& tx) {
        lock_account(tx, user_id);
        tx.exec_params0("delete from account_backup_code where user_id = $1", user_id);
        tx.exec_params0("delete from account_totp where user_id = $1", user_id);
        end_others(tx, user_id, session_id);
    });
}

std::size_t Factors::reseal(const Factors& old) {
    return store_.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec_params(
            "select user_id, encode(sealed, 'hex') from account_totp where key_id = $1 for update",
            old.key_id_);
        std::size_t count = 0;
        for (const auto& row : rows) {
            const std::string user_id = row[0].c_str();
            const auto raw =
                base::unseal(old.key_, user_id, base::unhex(row[1].c_str()).value_or(""));
            if (!raw) continue;
            tx.exec_params0(
                "update account_totp set sealed = decode($2, 'hex'), key_id = $3 where user_id = "
                "$1",
                user_id, base::hex(base::seal(key_, user_id, *raw)), key_id_);
            ++count;
        }
        return count;
    });
}

bool reset_factors(Store& store, const std::string& email) {
    return store.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec_params("select id from account where email = $1 for update",
                                         normal_email(email));
        if (rows.empty()) return false;
        const std::string user_id = rows[0][0].c_str();
        for (const char* table : {"account_totp", "account_backup_code", "account_passkey"})
            tx.exec_params0("delete from " + std::string(table) + " where user_id = $1", user_id);
        end_others(tx, user_id, "");
        return true;
    });
}

}  // namespace svc::devapi
