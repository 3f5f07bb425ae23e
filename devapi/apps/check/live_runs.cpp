#include "apps/check/live_runs.hpp"

#include <algorithm>
#include <map>
#include <pqxx/pqxx>
#include <set>

#include "apps/database/provision.hpp"
#include "migrate/diff/renames.hpp"
#include "migrate/system_sql.hpp"
#include "query/prove/live_flows.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kHasRuns = "select to_regclass('svc.run') is not null";

// Definitions of unfinished runs. A run that waits for a slot, or that a restore holds, has no due
// time.
constexpr const char* kHeld =
    "with live as (select hash from svc.run where due_at is not null union all "
    "select r.hash from svc.slot s join svc.run r on r.id = s.run where r.due_at is null "
    "and not svc.has_ended(r.status) union all "
    "select r.hash from svc.run r where r.status = 'held' and not exists "
    "(select from svc.slot s where s.run = r.id and s.workflow = r.workflow)) "
    "select d.name, d.hash, d.body::text, count(*) from live l join svc.definition d using (hash) "
    "group by d.hash order by d.name, count(*) desc, d.hash";

// Columns as the live contract and those before it left them: of tables that a contract may have
// made, and of types that every PostgreSQL has.
constexpr const char* kColumns =
    "select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a "
    "join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid "
    "where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p') "
    "and a.attnum > 0 and not a.attisdropped and t.typnamespace = 'pg_catalog'::regnamespace "
    "and exists (select from pg_attribute i where i.attrelid = c.oid and i.attname = 'id' "
    "and i.atttypid = 'uuid'::regtype) "
    "order by c.relname, a.attnum";

using TableColumns = std::map<std::string, std::vector<plan::Column>>;  // by table

std::vector<query::LiveFlow> live_flows(pqxx::transaction_base& tx, const plan::Plan& plan) {
    std::set<std::string> known;
    for (const plan::PlannedFlow& flow : plan.flows.all) known.insert(flow.hash);
    std::vector<query::LiveFlow> out;
    for (const auto& row : tx.exec(kHeld))
        if (!known.contains(row[1].c_str()))
            out.push_back({row[0].c_str(), row[3].as<std::int64_t>(), row[2].c_str()});
    return out;
}

TableColumns columns(pqxx::transaction_base& tx) {
    TableColumns out;
    for (const auto& row : tx.exec(kColumns)) {
        plan::Column& column = out[row[0].c_str()].emplace_back();
        column.name = row[1].c_str();
        column.sql_type = row[2].c_str();
    }
    return out;
}

// Columns that left the contract stay; those that were renamed do not.
void keep_columns(plan::Table& table, const std::vector<plan::Column>& before) {
    std::set<std::string> names;
    for (const plan::Column& column : before) names.insert(column.name);
    for (const auto& [from, to] : migrate::renames(migrate::names_of(table.columns), names).moves)
        names.erase(from);
    for (const plan::Column& column : table.columns) names.erase(column.name);
    for (const plan::Column& column : before)
        if (names.contains(column.name)) table.columns.push_back(column);
}

// Columns by the names that their tables get.
TableColumns by_new_names(const plan::Plan& plan, TableColumns columns) {
    std::set<std::string> names;
    for (const auto& [name, list] : columns) names.insert(name);
    for (const auto& [from, to] : migrate::renames(migrate::names_of(plan.tables), names).moves) {
        auto moved = columns.extract(from);
        moved.key() = to;
        columns.insert(std::move(moved));
    }
    return columns;
}

// The tables after an apply. Tables that left the contract stay as well.
std::vector<plan::Table> tables_after(const plan::Plan& plan, const TableColumns& before) {
    std::vector<plan::Table> out = plan.tables;
    TableColumns others = by_new_names(plan, before);
    for (plan::Table& table : out)
        if (const auto found = others.extract(table.name)) keep_columns(table, found.mapped());
    for (auto& [name, kept] : others) {
        plan::Table& table = out.emplace_back();
        table.name = name;
        table.columns = std::move(kept);
    }
    return out;
}

}  // namespace

void warn_of_touched_runs(const AppsConfig& config, const AppDatabase& database,
                          const plan::Plan& plan, diag::Findings& findings) {
    if (!app_databases(config).contains(database.name)) return;
    pqxx::connection connection(database.admin_url);
    pqxx::read_transaction tx(connection);
    tx.exec0("set local statement_timeout = '10s'");
    if (!tx.exec1(kHasRuns)[0].as<bool>()) return;
    const auto flows = live_flows(tx, plan);
    if (flows.empty()) return;
    query::prove_live_flows(plan, tables_after(plan, columns(tx)), flows, proving(config),
                            migrate::embedded("flow_values.sql"), findings);
}

}  // namespace svc::devapi
