#include "apps/database/unmanaged_tables.hpp"

#include <pqxx/pqxx>

#include "base/sql_state.hpp"
#include "log/log.hpp"
#include "migrate/refusal/refusal.hpp"
#include "migrate/schema/schema.hpp"
#include "query/ddl/ddl.hpp"
#include "sql/allowed.hpp"

namespace svc::devapi {
namespace {

Error not_taken(std::string message, std::string state = {}) {
    return {Code::params_invalid, std::move(message), {}, std::move(state), {}};
}

// The text means here what our reading of it took it for, and nobody waits long for it.
void prepare(pqxx::work& tx, const AppDatabase& database) {
    for (const char* setting :
         {"search_path = public", "standard_conforming_strings = on", "lock_timeout = '2s'",
          "statement_timeout = '30s'", "default_tablespace = ''", "client_min_messages = warning"})
        tx.exec0(std::string("set local ") + setting);
    tx.exec0("set local role " + tx.quote_name(database.owner_role));
}

void stand_before(pqxx::work& tx, std::int64_t token) {
    const auto rows = tx.exec("select fence from svc.contract for update");
    if (!rows.empty() && rows[0][0].as<std::int64_t>() > token)
        throw std::runtime_error("A newer change of this project has replaced this one.");
}

query::DdlContext ddl_context(pqxx::work& tx, const migrate::Schema& schema) {
    query::DdlContext out;
    for (const auto& [key, recorded] : schema.recorded)
        if (key.first == migrate::ObjectKind::table || key.first == migrate::ObjectKind::view)
            out.managed.insert(key.second);
    for (const auto& row : tx.exec("select typname from pg_type where typnamespace = "
                                   "'pg_catalog'::regnamespace"))
        out.builtin.insert(row[0].c_str());
    for (const auto& row : tx.exec("select typname from pg_type where typtype = 'e' and "
                                   "typnamespace = 'public'::regnamespace"))
        if (!out.builtin.contains(row[0].c_str())) out.enums.insert(row[0].c_str());
    return out;
}

// Built-in objects have no row in pg_depend. A row means a function, operator, operator class or
// collation that somebody made, or a table's row type.
bool uses_others(pqxx::work& tx) {
    return tx
        .exec1(
            "select exists (select from pg_depend d where d.xmin = pg_current_xact_id()::xid "
            "and (d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, "
            "'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_collation'::regclass) "
            "or d.refclassid = 'pg_type'::regclass and d.classid <> 'pg_type'::regclass "
            "and exists (select from pg_type t where t.oid = d.refobjid "
            "and t.typtype <> 'e' and t.typelem not in (select e.oid from pg_type e where "
            "e.typtype = 'e'))))")[0]
        .as<bool>();
}

// The types that PostgreSQL took the new columns' names for; empty if all of them are listed.
std::string unlisted_type(pqxx::work& tx) {
    for (const auto& row : tx.exec(
             "select distinct e.typname from pg_attribute a join pg_class c on c.oid = a.attrelid "
             "join pg_type t on t.oid = a.atttypid join pg_type e on e.oid = coalesce("
             "(select b.oid from pg_type b where b.typarray = t.oid), t.oid) "
             "where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace "
             "and a.xmin = pg_current_xact_id()::xid and a.attnum > 0 and not a.attisdropped "
             "and not (e.typtype = 'e' and e.typnamespace = 'public'::regnamespace)"))
        if (!sql::is_type(row[0].c_str())) return row[0].c_str();
    return {};
}

// A new CHECK that may be true today and false tomorrow ("a > now()"): no dump with a row that was
// good then can be restored. PostgreSQL asks that of indexes alone, so it is asked as of one, on a
// table without rows.
std::string changing_check(pqxx::work& tx) {
    const auto checks = tx.exec(
        "select c.conname, t.oid::regclass, pg_get_expr(c.conbin, c.conrelid) "
        "from pg_constraint c join pg_class t on t.oid = c.conrelid "
        "where c.contype = 'c' and c.xmin = pg_current_xact_id()::xid");
    for (const auto& row : checks) {
        pqxx::subtransaction probe(tx);
        try {
            probe.exec0(std::string("create table svc_probe (like ") + row[1].c_str() + ")");
            probe.exec0(std::string("create index on svc_probe (((") + row[2].c_str() +
                        ")::boolean))");
        } catch (const pqxx::sql_error& error) {
            // 42P17: not immutable. Other refusals as well: what no index may hold, such as the
            // whole row, cannot be shown to be the same tomorrow.
            if (!base::sqlstate::is_of_machine(migrate::read_error(error).state))
                return row[0].c_str();
            throw;
        }
        probe.abort();
    }
    return {};
}

// The contract's own objects as they were: what our reading of the SQL may have missed.
bool left_alone(const migrate::Schema& before, const migrate::Schema& after) {
    for (const auto& [key, was] : before.found) {
        const auto now = after.found.find(key);
        if (now == after.found.end() || now->second.printed != was.printed) return false;
    }
    for (const auto& [key, recorded] : before.recorded) {
        if (key.first != migrate::ObjectKind::table || !before.tables.contains(key.second))
            continue;
        const auto now = after.tables.find(key.second);
        const auto& columns = before.tables.at(key.second).columns;
        if (now == after.tables.end() || now->second.columns.size() != columns.size()) return false;
    }
    return true;
}

std::optional<Error> run_statements(pqxx::work& tx, const AppDatabase& database,
                                    const std::string& sql) {
    const auto before = migrate::read_schema(tx, database.data_role);
    const query::Ddl ddl = query::read_ddl(sql, ddl_context(tx, before));
    if (!ddl.refused.empty()) return not_taken(ddl.refused);
    // Uses the protocol that allows one statement at a time.
    for (const std::string& statement : ddl.statements) tx.exec_params0(statement);
    if (uses_others(tx))
        return not_taken("Only PostgreSQL's own functions, operators and types are allowed.");
    if (const std::string type = unlisted_type(tx); !type.empty())
        return not_taken("The type " + type + " is not allowed.");
    if (const std::string check = changing_check(tx); !check.empty())
        return not_taken(
            "The constraint " + check +
            " may give a different answer at another time or with another setting, as now() does, "
            "or a comparison of a moment with a date. A row that is valid today could then not be "
            "restored tomorrow. State the time zone (at time zone 'UTC'), write || for concat(), "
            "leave now() out, and name columns, not the whole row.");
    if (!left_alone(before, migrate::read_schema(tx, database.data_role)))
        return not_taken(
            "This would change something that belongs to the contract. Change the contract "
            "instead.");
    return std::nullopt;
}

Error explained(const pqxx::sql_error& error) {
    const migrate::SqlError sql_error = migrate::read_error(error);
    const std::string& state = sql_error.state;
    if (base::sqlstate::is_busy(state))
        return {Code::unavailable,
                "Another request is using these tables right now. Try again.",
                {},
                {},
                {}};
    if (state == base::sqlstate::kCanceled)
        return not_taken("The statements took longer than 30 seconds.", state);
    if (state == base::sqlstate::kTaken || state == base::sqlstate::kReference ||
        state == base::sqlstate::kCheck)
        return {Code::conflict,
                sql_error.message + (sql_error.detail.empty() ? "" : " " + sql_error.detail),
                {},
                {},
                {}};
    if (state == base::sqlstate::kForbidden || !base::sqlstate::is_of_machine(state))
        return not_taken(sql_error.message, state);
    log::write(log::Level::error, "database_error",
               {{"sqlstate", state}, {"message", sql_error.message}});
    return {Code::database_error,
            "The database failed to do this. The log of svcd says why.",
            {},
            {},
            {}};
}

}  // namespace

std::optional<Error> add_unmanaged_tables(const AppsConfig& config, const std::string& project,
                                          const std::string& change, std::int64_t token,
                                          const std::string& sql) {
    const AppDatabase database = app_database(for_change(config, change), project, Env::dev);
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    prepare(tx, database);
    stand_before(tx, token);
    try {
        if (auto error = run_statements(tx, database, sql)) return error;
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        return explained(error);
    }
    tx.commit();
    return std::nullopt;
}

}  // namespace svc::devapi
