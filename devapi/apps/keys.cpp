#include "apps/keys.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

namespace svc::devapi {
namespace {

using Json = nlohmann::json;

Json list_or_null(const std::optional<std::vector<std::string>>& list) {
    return list ? Json(*list) : Json(nullptr);
}

Json to_json(const KeyRecord& key) {
    return {{"id", key.id},
            {"kind", base::word(key.kind)},
            {"hash", key.hash_hex},
            {"prefix", key.prefix},
            {"origins", key.origins},
            {"tools", list_or_null(key.tools)},
            {"models", list_or_null(key.models)},
            {"expires_at", key.expires_at.empty() ? Json(nullptr) : Json(key.expires_at)},
            {"per_minute", key.per_minute ? Json(*key.per_minute) : Json(nullptr)}};
}

constexpr char kSync[] = R"(
with wanted as (
    select id, kind, decode(hash, 'hex') as hash, prefix, origins, tools, models, expires_at,
           per_minute
    from jsonb_to_recordset($1::jsonb) as k (
        id uuid, kind text, hash text, prefix text, origins text[], tools text[], models text[],
        expires_at timestamptz, per_minute int)
), gone as (
    delete from svc.app_key where id not in (select id from wanted)
)
insert into svc.app_key as held (id, kind, hash, prefix, origins, tools, models, expires_at, per_minute)
select * from wanted
on conflict (id) do update set
    kind = excluded.kind, hash = excluded.hash, prefix = excluded.prefix,
    origins = excluded.origins, tools = excluded.tools, models = excluded.models,
    expires_at = excluded.expires_at, per_minute = excluded.per_minute
)";

constexpr const char* kOlder =
    "select from pg_attribute where attrelid = 'svc.app_key'::regclass and attname = 'per_minute'";

void sync(const AppDatabase& database, const std::vector<KeyRecord>& keys) {
    Json list = Json::array();
    for (const auto& key : keys) list.push_back(to_json(key));
    pqxx::connection connection(database.admin_url);
    pqxx::work work(connection);
    // A lock on the table delays this only for a while; then it is tried again.
    work.exec0("set local lock_timeout = '2s'; set local statement_timeout = '10s'");
    // A database that was last applied to by an older svcd.
    if (work.exec(kOlder).empty()) work.exec0("alter table svc.app_key add per_minute integer");
    work.exec_params0(kSync, list.dump());
    work.commit();
}

}  // namespace

std::shared_ptr<KeyBook::Entry> KeyBook::entry(const std::string& project) {
    std::lock_guard lock(mutex_);
    auto& held = entries_[project];
    if (!held) held = std::make_shared<Entry>();
    return held;
}

std::set<std::string> KeyBook::set(const std::string& project, std::vector<KeyRecord> keys) {
    auto held = entry(project);
    std::lock_guard lock(mutex_);
    held->keys = std::move(keys);
    return held->open;
}

void KeyBook::offer(const std::string& project, const std::vector<KeyRecord>& keys) {
    auto held = entry(project);
    std::lock_guard lock(mutex_);
    if (!held->keys) held->keys = keys;
}

void KeyBook::write(const std::string& project, const AppDatabase& database) {
    auto held = entry(project);
    std::lock_guard writing(held->writing);
    std::vector<KeyRecord> keys;
    {
        std::lock_guard lock(mutex_);
        held->open.insert(database.name);
        keys = held->keys.value_or(keys);
    }
    narrow_(project, keys);
    sync(database, keys);
}

void KeyBook::close(const std::string& project, const AppDatabase& database) {
    auto held = entry(project);
    std::lock_guard lock(mutex_);
    held->open.erase(database.name);
}

void KeyBook::forget(const std::string& project) {
    std::lock_guard lock(mutex_);
    entries_.erase(project);
}

}  // namespace svc::devapi
