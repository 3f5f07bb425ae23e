#include "platform/factor/passkeys.hpp"

#include <nlohmann/json.hpp>

#include "base/base64url.hpp"
#include "base/uuid.hpp"
#include "platform/factor/factors.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kPasskeyColumns = "id, name, iso(created_at), iso(last_used_at)";

PasskeyRecord passkey_record(const pqxx::row& row) {
    return {row[0].c_str(), row[1].c_str(), row[2].c_str(), text_or_none(row[3])};
}

}  // namespace

std::vector<PasskeyRecord> list_passkeys(Store& store, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<PasskeyRecord> out;
        for (const auto& row :
             tx.exec_params(std::string("select ") + kPasskeyColumns +
                                " from account_passkey where user_id = $1 order by created_at, id",
                            user_id))
            out.push_back(passkey_record(row));
        return out;
    });
}

std::string passkey_descriptors(Store& store, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) {
        const auto row = tx.exec_params1(
            "select coalesce(string_agg(json_build_object('type', 'public-key', 'id', credential, "
            "'transports', transports)::text, ',' order by created_at, id), '') "
            "from account_passkey where user_id = $1",
            user_id);
        return std::string(row[0].c_str());
    });
}

std::optional<PasskeyRecord> add_passkey(Store& store, const PasskeyRequest& wanted) {
    return store.transact([&](pqxx::work& tx) -> std::optional<PasskeyRecord> {
        tx.exec_params("select from account where id = $1 for update", wanted.user_id);
        const auto rows = tx.exec_params(
            std::string(
                "insert into account_passkey (id, user_id, credential, algorithm, public_key, "
                "sign_count, transports, name) select $1::uuid, $2::uuid, $3::text, $4::integer, "
                "$5::text, "
                "$6::bigint, $7::jsonb, $8::text where "
                "(select count(*) from account_passkey where user_id = $2::uuid) < $9 on conflict "
                "(credential) do nothing returning ") +
                kPasskeyColumns,
            base::new_uuid(), wanted.user_id, base::base64url(wanted.made.credential),
            wanted.made.key.algorithm, base::base64url(wanted.made.key.bytes),
            static_cast<std::int64_t>(wanted.made.sign_count),
            nlohmann::json(wanted.transports).dump(), wanted.name, kMostPasskeys);
        if (rows.empty()) return std::nullopt;
        end_others(tx, wanted.user_id, wanted.session_id);
        return passkey_record(rows[0]);
    });
}

std::optional<KnownKey> find_passkey(Store& store, const std::string& user_id,
                                     const std::string& credential) {
    return store.transact([&](pqxx::work& tx) -> std::optional<KnownKey> {
        const auto rows = tx.exec_params(
            "select id, algorithm, public_key from account_passkey where user_id = $1 and "
            "credential = $2",
            user_id, credential);
        if (rows.empty()) return std::nullopt;
        return KnownKey{
            rows[0][0].c_str(),
            {rows[0][1].as<int>(), base::base64url_decoded(rows[0][2].c_str()).value_or("")}};
    });
}

bool use_passkey(Store& store, const std::string& id, std::uint32_t sign_count) {
    return store.transact([&](pqxx::work& tx) {
        return !tx.exec_params(
                      "update account_passkey set sign_count = $2::bigint, last_used_at = now() "
                      "where id = "
                      "$1 and (sign_count < $2::bigint or (sign_count = 0 and $2::bigint = 0)) "
                      "returning id",
                      id, static_cast<std::int64_t>(sign_count))
                    .empty();
    });
}

bool remove_passkey(Store& store, const std::string& user_id, const std::string& session_id,
                    const std::string& id) {
    return store.transact([&](pqxx::work& tx) {
        tx.exec_params("select from account where id = $1 for update", user_id);
        const auto rows = tx.exec_params(
            "delete from account_passkey where user_id = $1 and id = $2 returning id", user_id, id);
        if (rows.empty()) return false;
        end_others(tx, user_id, session_id);
        return true;
    });
}

}  // namespace svc::devapi
