#include "platform/audit.hpp"

namespace svc::devapi {

void record(Store& store, const AuditEntry& entry) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params0(
            "insert into audit (user_id, email, auth, workspace_id, project_id, action, target, "
            "address, status, code) values (nullif($1, '')::uuid, $2, $3, nullif($4, '')::uuid, "
            "nullif($5, '')::uuid, $6, $7, $8, $9, $10)",
            entry.user_id, entry.email, entry.auth, entry.workspace_id, entry.project_id,
            entry.action, entry.target, entry.address, entry.status, entry.code);
    });
}

void record_in_workspaces(Store& store, const AuditEntry& entry) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params0(
            "insert into audit (user_id, email, workspace_id, action, target, address, status, "
            "code) select a.id, a.email, m.workspace_id, $2, $3, $4, $5, $6 "
            "from account a join member m on m.user_id = a.id where a.email = $1",
            entry.email, entry.action, entry.target, entry.address, entry.status, entry.code);
    });
}

std::vector<AuditEntry> read_audit(Store& store, const AuditQuery& query) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<AuditEntry> out;
        for (const auto& row : tx.exec_params(
                 "select user_id, email, auth, workspace_id, project_id, action, target, address, "
                 "status, code, id, iso(at) from audit where workspace_id = $1 "
                 "and ($2 = '' or project_id = nullif($2, '')::uuid) and ($3::bigint = 0 or id < "
                 "$3::bigint) order by id desc limit $4",
                 query.workspace_id, query.project_id, query.before, query.limit))
            out.push_back({row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str(),
                           row[4].c_str(), row[5].c_str(), row[6].c_str(), row[7].c_str(),
                           row[8].as<int>(), row[9].c_str(), row[10].as<std::int64_t>(),
                           row[11].c_str()});
        return out;
    });
}

}  // namespace svc::devapi
