#include "apps/database/sql_role.hpp"

#include <pqxx/pqxx>

#include "postgres/scram.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kAccount =
    "svc.account (id, email, name, persona, is_admin, disabled, verified_at, created_at, "
    "updated_at)";

// Readable system tables: records of events, never credentials.
constexpr const char* kReadable[] = {
    "svc.change", "svc.topic_message", "svc.audit",          "svc.seed", "svc.pending",
    kAccount,     "svc.org",           "svc.member",         "svc.run",  "svc.step",
    "svc.tick",   "svc.schedule",      "svc.connector_call",
};

bool complete(pqxx::work& tx, const AppDatabase& database) {
    return tx
        .exec_params1(
            "select exists (select from pg_roles where rolname = $1 and rolbypassrls) "
            "and has_database_privilege($1, current_database(), 'connect') "
            "and has_column_privilege($1, 'svc.account', 'email', 'select') "
            "and not exists (select from pg_class c where c.relnamespace = 'public'::regnamespace "
            "and c.relkind in ('r', 'p', 'v', 'm') "
            "and not has_table_privilege($1, c.oid, 'select'))",
            database.sql_role)[0]
        .as<bool>(false);
}

// A role that an older svcd made lacks what has become readable since.
bool reads_all(pqxx::work& tx, const std::string& role) {
    return tx
        .exec_params1(
            "select coalesce(has_table_privilege($1, to_regclass('svc.connector_call')::oid, "
            "'select'), true)",
            role)[0]
        .as<bool>();
}

bool exists(pqxx::work& tx, const std::string& role) {
    return !tx.exec_params("select 1 from pg_roles where rolname = $1", role).empty();
}

void make_role(pqxx::work& tx, const AppsConfig& config, const AppDatabase& database) {
    const std::string role = tx.quote_name(database.sql_role);
    const std::string verb = exists(tx, database.sql_role) ? "alter role " : "create role ";
    tx.exec0(
        verb + role +
        " login inherit bypassrls nosuperuser nocreatedb nocreaterole noreplication password " +
        tx.quote(scram_verifier(role_password(config.master_key, database.sql_role))));
    // The role inherits the rights of callers on the app's tables, sequences and functions. A
    // direct grant would change objects of the contract.
    tx.exec0("grant " + tx.quote_name(database.data_role) + " to " + role);
    tx.exec0("alter role " + role + " set temp_file_limit = '1GB'");
    for (const char* setting : {"log_min_messages = 'log'", "log_min_error_statement = 'panic'",
                                "log_error_verbosity = 'terse'"})
        tx.exec0("alter role " + role + " set " + setting);
    tx.exec0("grant connect on database " + tx.quote_name(database.name) + " to " + role);
}

void grant_tables(pqxx::work& tx, const std::string& role) {
    const std::string to = " to " + tx.quote_name(role);
    for (const char* table : kReadable) {
        const std::string named = table;
        const auto columns = named.find(" (");
        const std::string name = named.substr(0, columns);
        if (tx.exec_params1("select to_regclass($1) is null", name)[0].as<bool>()) continue;
        tx.exec0("grant select" + (columns == std::string::npos ? "" : named.substr(columns)) +
                 " on " + name + to);
    }
    // Tables beside the contract's, which callers have no rights to.
    for (const auto& row : tx.exec_params(
             "select c.oid::regclass from pg_class c where c.relnamespace = 'public'::regnamespace "
             "and c.relkind in ('r', 'p', 'v', 'm') and not has_table_privilege($1, c.oid, "
             "'select')",
             role))
        tx.exec0("grant select, insert, update, delete on " + std::string(row[0].c_str()) + to);
}

}  // namespace

std::string make_sql_role(const AppsConfig& config, const AppDatabase& database) {
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    // A role that is not there has no privileges to ask for.
    const bool usable = exists(tx, database.sql_role) && complete(tx, database);
    if (usable && reads_all(tx, database.sql_role)) return {};
    if (!tx.exec1("select rolsuper from pg_roles where rolname = current_user")[0].as<bool>()) {
        if (usable) return {};
        return "Reading and writing rows past row-level security needs a role that only a "
               "superuser of this PostgreSQL can create. The account of DATABASE_URL is not a "
               "superuser.";
    }
    tx.exec0("set local search_path = pg_catalog");
    tx.exec_params("select pg_advisory_xact_lock(hashtext($1))", database.sql_role);
    make_role(tx, config, database);
    grant_tables(tx, database.sql_role);
    tx.commit();
    return {};
}

}  // namespace svc::devapi
