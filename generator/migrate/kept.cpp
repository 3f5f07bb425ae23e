// Rows that were deleted and are kept, and what happened to rows: they follow no migration, which
// only writes down what they are to be read by (runtime-support/schema/history.sql).
#include "plan/write/kept.hpp"
#include "migrate/migration.hpp"

namespace svc::migrate {

// Their columns keep the names that they had. The table is locked: what is written before the
// rename has a smaller number.
void Migration::remember_rename(const Step& step) {
    if (step.renames.empty()) return;
    if (step.change.kind == ChangeKind::rename_table) {
        tx_->exec_params("select svc.follow_table($1, $2)", step.renames, step.change.table);
        return;
    }
    tx_->exec_params0("insert into svc.renamed (table_name, was, becomes) values ($1, $2, $3)",
                      step.change.table, step.renames, step.change.column);
}

// If softDelete is removed, deleted rows that are still stored keep their time.
void Migration::remember_keep_times() {
    std::string times;
    for (const plan::Table& table : plan_.tables) {
        if (!table.soft_delete) continue;
        const std::string keep =
            table.keep_deleted == 0
                ? ",null"
                : ",make_interval(secs => " + std::to_string(table.keep_deleted) + ")";
        times += (times.empty() ? "" : ",") + row({table.name}, keep);
    }
    if (times.empty()) return;
    tx_->exec("insert into svc.keep_time as k (table_name, keep) values " + times +
              " on conflict (table_name) do update set keep = excluded.keep"
              " where k.keep is distinct from excluded.keep");
}

// Deleted rows never come back by themselves.
void Migration::warn_of_deleted(pqxx::dbtransaction& tx) {
    for (const plan::Table& table : plan_.tables) {
        const auto renamed = diff_.called.find(table.name);
        const std::string& now = renamed == diff_.called.end() ? table.name : renamed->second;
        const Key keeping{ObjectKind::trigger, plan::keeping_trigger_name(now)};
        if (table.soft_delete || !schema_.recorded.contains(keeping)) continue;
        const auto count =
            tx.exec_params1("select count(*) from svc.deleted where table_name = $1", now)[0]
                .as<std::int64_t>();
        if (count == 0) continue;
        result_.findings.warning(
            "DELETED_ROWS_KEPT", table.path,
            std::to_string(count) + " deleted rows of " + table.name +
                " can no longer be restored. They stay deleted, and are purged at the time that "
                "was "
                "planned.",
            "restore the rows that you need before this apply, or keep \"softDelete\"");
    }
}

}  // namespace svc::migrate
