// Steps of workflows that run with a caller's rights do so in a function that belongs to the data
// role (as.sql).
#include "base/sha256.hpp"
#include "migrate/migration.hpp"
#include "migrate/system_sql.hpp"

namespace svc::migrate {
namespace {

const Key kExec{ObjectKind::system, "as.sql"};

}  // namespace

// As it is, not as it was recorded: a copy that was restored has the record without the function.
bool Migration::has_caller_rights(const std::string& hash) {
    if (read_schema(*tx_, target_.data_role).recorded[kExec].hash != hash) return false;
    return !tx_->exec_params(
                   "select from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                   " where n.nspname = 'svc_as' and p.proname = 'exec'"
                   " and pg_get_userbyid(p.proowner) = $1 and pg_get_userbyid(n.nspowner) = $2"
                   " and has_function_privilege($2, p.oid, 'execute')",
                   target_.data_role, target_.owner_role)
                .empty();
}

// The owner cannot give a function away, so the data role makes it, where it may for that long.
void Migration::bring_caller_rights() {
    const std::string sql(embedded("as.sql"));
    const std::string hash = base::sha256_hex(sql + target_.data_role);
    if (has_caller_rights(hash)) return;
    trace("as.sql");
    const std::string data = quoted(target_.data_role);
    tx_->exec0("set local role none");
    tx_->exec0("drop schema if exists svc_as cascade");
    become(target_.owner_role);
    tx_->exec0("create schema svc_as");
    tx_->exec0("grant usage, create on schema svc_as to " + data);
    become(target_.data_role);
    tx_->exec(sql);
    tx_->exec0("grant execute on function svc_as.exec to " + quoted(target_.owner_role));
    become(target_.owner_role);
    tx_->exec0("revoke all on schema svc_as from " + data);
    tx_->exec_params0(
        "insert into svc.managed (kind, name, hash) values ($1, $2, $3) "
        "on conflict (kind, name) do update set hash = $3",
        std::string(word(kExec.first)), kExec.second, hash);
}

}  // namespace svc::migrate
