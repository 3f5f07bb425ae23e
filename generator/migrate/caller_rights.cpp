// Steps of workflows that run with a caller's rights do so in a function that belongs to the data
// role (as.sql).
#include "migrate/caller_rights.hpp"

#include "base/sha256.hpp"
#include "migrate/migration.hpp"
#include "migrate/system_sql.hpp"

namespace svc::migrate {
namespace {

const Key kExec{ObjectKind::system, "as.sql"};

}  // namespace

// Reads the function itself, not the record: a restored copy has the record without the function.
bool Migration::has_caller_rights(const std::string& hash) {
    if (recorded_hash(*tx_, kExec) != hash) return false;
    return !tx_->exec_params(
                   "select from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                   " where n.nspname = 'svc_as' and p.proname = 'exec'"
                   " and pg_get_userbyid(p.proowner) = $1 and pg_get_userbyid(n.nspowner) = $2"
                   " and has_function_privilege($2, p.oid, 'execute')",
                   target_.data_role, target_.owner_role)
                .empty();
}

void Migration::bring_caller_rights() {
    const std::string hash = base::sha256_hex(std::string(embedded("as.sql")) + target_.data_role);
    if (has_caller_rights(hash)) return;
    trace("as.sql");
    make_caller_rights(*tx_, target_.owner_role, target_.data_role);
    tx_->exec_params0(
        "insert into svc.managed (kind, name, hash) values ($1, $2, $3) "
        "on conflict (kind, name) do update set hash = $3",
        std::string(base::word(kExec.first)), kExec.second, hash);
}

// The owner cannot give a function away, so the data role makes it, if it may for that long.
void make_caller_rights(pqxx::transaction_base& tx, const std::string& owner_role,
                        const std::string& data_role) {
    const std::string owner = tx.quote_name(owner_role), data = tx.quote_name(data_role);
    tx.exec0("set local role none");
    tx.exec0("drop schema if exists svc_as cascade");
    tx.exec0("set local role " + owner);
    tx.exec0("create schema svc_as");
    tx.exec0("grant usage, create on schema svc_as to " + data);
    tx.exec0("set local role " + data);
    tx.exec(std::string(embedded("as.sql")));
    tx.exec0("grant execute on function svc_as.exec to " + owner);
    tx.exec0("set local role " + owner);
    tx.exec0("revoke all on schema svc_as from " + data);
}

}  // namespace svc::migrate
