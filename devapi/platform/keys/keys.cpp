#include "platform/keys/keys.hpp"

#include <nlohmann/json.hpp>

#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "platform/account/accounts.hpp"

namespace svc::devapi {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kShown = 12;  // of a key's value, to recognise it
constexpr const char* kColumns =
    "id, kind, hash, prefix, origins, tools, models, coalesce(iso(expires_at), ''), project_id, "
    "name, "
    "iso(created_at), (select case when kind = 'server' then p.rate_server else p.rate_browser end "
    "from project p where p.id = project_id), coalesce(created_by::text, ''), "
    "coalesce((select a.email from account a where a.id = created_by), '')";

std::optional<Texts> list_or_all(const pqxx::field& field) {
    return field.is_null() ? std::nullopt : std::optional<Texts>(text_list(field));
}

std::optional<std::string> text_of(const std::optional<Texts>& list) {
    return list ? std::optional<std::string>(nlohmann::json(*list).dump()) : std::nullopt;
}

const char* pointer(const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
}

ProjectKey key_of(const pqxx::row& row) {
    KeyRecord record;
    record.id = row[0].c_str();
    record.kind = base::read_word<KeyKind>(row[1].c_str()).value();
    record.hash_hex = row[2].c_str();
    record.prefix = row[3].c_str();
    record.origins = text_list(row[4]);
    record.tools = list_or_all(row[5]);
    record.models = list_or_all(row[6]);
    record.expires_at = row[7].c_str();
    if (!row[11].is_null()) record.per_minute = row[11].as<int>();
    return {std::move(record), row[8].c_str(),  row[9].c_str(),
            row[10].c_str(),   row[12].c_str(), row[13].c_str()};
}

std::vector<ProjectKey> keys_of(const pqxx::result& rows) {
    std::vector<ProjectKey> out;
    for (const auto& row : rows) out.push_back(key_of(row));
    return out;
}

const char* prefix_of(KeyKind kind) {
    switch (kind) {
        case KeyKind::browser:
            return "dpk_c_";
        case KeyKind::server:
            return "dpk_s_";
        case KeyKind::preview:
            return "dpk_p_";
    }
    return "";
}

std::string new_value(KeyKind kind) {
    return prefix_of(kind) + base::base64url(base::random_bytes(32));
}

// The membership row is locked until the key exists, so the end of the membership finds the key.
bool may_answer_for(pqxx::work& tx, const std::string& project_id, const std::string& user_id,
                    KeyKind kind) {
    const auto rows = tx.exec_params(
        "select m.role from member m join project p on p.workspace_id = m.workspace_id "
        "where p.id = $1 and m.user_id = $2 for share of m",
        project_id, user_id);
    return !rows.empty() &&
           (kind == KeyKind::preview || parse_role(rows[0][0].c_str()) > Role::viewer);
}

}  // namespace

std::optional<MintedKey> mint_key(Store& store, const NewKey& wanted) {
    const std::string value = new_value(wanted.kind);
    const auto tools = text_of(wanted.tools), models = text_of(wanted.models);
    return store.transact([&](pqxx::work& tx) -> std::optional<MintedKey> {
        if (!may_answer_for(tx, wanted.project_id, wanted.user_id, wanted.kind))
            return std::nullopt;
        tx.exec("delete from project_key where kind = 'preview' and expires_at < now()");
        const auto rows = tx.exec_params(
            std::string(
                "insert into project_key (id, project_id, kind, name, hash, prefix, origins, "
                "tools, models, expires_at, created_by) values ($1, $2, $3, $4, $5, $6, "
                "$7::jsonb, $8::jsonb, $9::jsonb, "
                "case when $3 = 'preview' then now() + interval '12 hours' end, $10) returning ") +
                kColumns,
            base::new_uuid(), wanted.project_id, std::string(base::word(wanted.kind)), wanted.name,
            base::sha256_hex(value), value.substr(0, kShown), nlohmann::json(wanted.origins).dump(),
            pointer(tools), pointer(models), wanted.user_id);
        return MintedKey{value, key_of(rows[0])};
    });
}

std::vector<ProjectKey> project_keys(Store& store, const std::string& project_id) {
    return store.transact([&](pqxx::work& tx) {
        return keys_of(tx.exec_params(std::string("select ") + kColumns +
                                          " from project_key where project_id = $1 and (expires_at "
                                          "is null or expires_at > now()) "
                                          "order by created_at desc, id desc",
                                      project_id));
    });
}

std::vector<ProjectKey> all_keys(Store& store) {
    return store.transact([&](pqxx::work& tx) {
        return keys_of(tx.exec(std::string("select ") + kColumns +
                               " from project_key where expires_at is null or expires_at > now()"));
    });
}

std::optional<ProjectKey> adopt_key(Store& store, const std::string& project_id,
                                    const std::string& key_id, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) -> std::optional<ProjectKey> {
        if (!may_answer_for(tx, project_id, user_id, KeyKind::server)) return std::nullopt;
        const auto rows = tx.exec_params(
            std::string("update project_key set created_by = $3 where id = $1 and project_id = $2 "
                        "and kind <> 'preview' returning ") +
                kColumns,
            key_id, project_id, user_id);
        if (rows.empty()) return std::nullopt;
        return key_of(rows[0]);
    });
}

bool delete_key(Store& store, const std::string& project_id, const std::string& key_id) {
    return store.transact([&](pqxx::work& tx) {
        return tx.exec_params(
                     "delete from project_key where id = $1 and project_id = $2 returning id",
                     key_id, project_id)
                   .size() == 1;
    });
}

std::vector<KeyRecord> records(const std::vector<ProjectKey>& keys) {
    std::vector<KeyRecord> out;
    out.reserve(keys.size());
    for (const auto& key : keys) out.push_back(key.record);
    return out;
}

}  // namespace svc::devapi
