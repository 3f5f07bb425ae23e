#include "platform/project/contract_versions.hpp"

namespace svc::devapi {
namespace {

// A contract may have megabytes. A client that is further behind pulls again.
constexpr std::int64_t kKeptVersions = 50;

}  // namespace

void keep_live_version(pqxx::work& tx, const ContractVersion& live) {
    tx.exec_params(
        "insert into contract_version (project_id, version, contract, user_id, created_at) "
        "select $1::uuid, $2::bigint, $3::text, r.user_id, coalesce(r.started_at, now()) from "
        "(values (1)) one "
        "left join lateral (select user_id, started_at from apply_run where project_id = $1 and "
        "env = 'dev' and kind = 'apply' and status = 'applied' and version = $2 "
        "order by id limit 1) r on true on conflict do nothing",
        live.project_id, live.version, live.contract);
}

void keep_new_version(pqxx::work& tx, const ContractVersion& fresh, const std::string& run) {
    tx.exec_params(
        "insert into contract_version (project_id, version, contract, user_id) "
        "select $1::uuid, $2::bigint, $3::text, user_id from apply_run where id = $4 "
        "on conflict (project_id, version) do update set contract = excluded.contract, "
        "user_id = excluded.user_id, created_at = excluded.created_at",
        fresh.project_id, fresh.version, fresh.contract, run);
    tx.exec_params("delete from contract_version where project_id = $1 and version <= $2",
                   fresh.project_id, fresh.version - kKeptVersions);
}

std::optional<ContractVersion> find_version(Store& store, const std::string& project,
                                            std::int64_t version) {
    return store.transact([&](pqxx::work& tx) -> std::optional<ContractVersion> {
        const auto rows = tx.exec_params(
            "select v.contract, a.email, iso(v.created_at) from contract_version v "
            "left join account a on a.id = v.user_id where v.project_id = $1 and v.version = $2",
            project, version);
        if (rows.empty()) return std::nullopt;
        return ContractVersion{project, version, rows[0][0].c_str(), text_or_none(rows[0][1]),
                               rows[0][2].c_str()};
    });
}

}  // namespace svc::devapi
