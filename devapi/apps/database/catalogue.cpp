#include "apps/database/catalogue.hpp"

#include <pqxx/pqxx>

namespace svc::devapi {
namespace {

// Functions by their names, because a later PostgreSQL has more of each kind. Functions that
// policies, triggers and the information schema call as their reader (has_…_privilege,
// pg_get_userbyid) stay.
constexpr const char* kClosedFunctions =
    "^(lo_.*|loread|lowrite|ts_stat|ts_rewrite|dblink.*|shobj_description|txid_status|"
    "inet_server_(addr|port)|brin_(de)?summarize_.*|"
    "(query|table|cursor|schema|database)_to_xml(schema|_and_xmlschema)?|"
    "pg_(try_)?advisory_.*|pg_sleep.*|pg_notif.*|pg_listening_channels|"
    "pg_(cancel|terminate|log)_backend.*|pg_(safe_snapshot_)?blocking_pids|pg_isolation_.*|"
    "pg_stat_.*|pg_read_.*|pg_ls_.*|pg_current_logfile|pg_current_wal.*|pg_(last|switch)_.*|"
    "pg_wal.*|pg_(get_|is_)wal_.*|pg_logical_.*|pg_replication_.*|"
    "pg_(create|copy|drop|get)_.*(slot|slots)|pg_(export|import)_.*|pg_control_.*|pg_lock_status|"
    "pg_prepared_xact|pg_tablespace_.*|pg_database_.*|pg_describe_object|pg_identify_object.*|"
    "pg_get_object_address|pg_show_all_settings|pg_settings_get_flags|pg_xact_.*|pg_conf_load_time|"
    "pg_postmaster_start_time|pg_relation_filepath|pg_filenode_relation|pg_get_multixact_members|"
    "pg_hba_.*|pg_show_all_file_settings|pg_config|pg_event_trigger_.*)$";
constexpr const char* kClosedTables =
    "^(pg_auth_members|pg_database|pg_db_role_setting|pg_group|pg_locks|pg_parameter_acl|"
    "pg_prepared_xacts|pg_replication_.*|pg_roles|pg_settings|pg_seclabels|pg_shdepend|"
    "pg_shdescription|pg_shseclabel|pg_stat_.*|pg_statio_.*|pg_subscription.*|pg_tablespace|"
    "pg_user)$";

constexpr const char* kOpenFunctions =
    "select string_agg(p.oid::regprocedure::text, ', ') from pg_proc p "
    "where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ $1 and p.prokind = 'f' "
    "and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a "
    "where a.grantee = 0)";
constexpr const char* kOpenTables =
    "select string_agg(c.oid::regclass::text, ', ') from pg_class c "
    "where c.relnamespace = 'pg_catalog'::regnamespace and c.relname ~ $1 "
    "and (exists (select from aclexplode(c.relacl) a where a.grantee = 0) or exists (select from "
    "pg_attribute t, aclexplode(t.attacl) a where t.attrelid = c.oid and a.grantee = 0))";

void revoke_from_all(pqxx::work& tx, const char* what, const char* question, const char* names) {
    const auto found = tx.exec_params1(question, names);
    if (found[0].is_null()) return;
    tx.exec0(std::string("revoke all on ") + what + " " + found[0].c_str() + " from public");
}

}  // namespace

void close_catalogue(const AppDatabase& database) {
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    if (!tx.exec1("select rolsuper from pg_roles where rolname = current_user")[0].as<bool>())
        return;
    tx.exec0("set local search_path = pg_catalog");
    tx.exec0("set local client_min_messages = error");
    revoke_from_all(tx, "function", kOpenFunctions, kClosedFunctions);
    revoke_from_all(tx, "table", kOpenTables, kClosedTables);
    // Functions of the owner's ask which role passes policies (svc.past_policies), whose server
    // lives (svc.new_incarnation, svc.reap), and who takes a place (svc.take_slot).
    const std::string owner = tx.quote_name(database.owner_role);
    tx.exec0("grant select on pg_roles, pg_locks, pg_database to " + owner);
    tx.exec0(
        "grant execute on function pg_lock_status(), pg_advisory_lock(integer, integer), "
        "pg_advisory_xact_lock(integer, integer), pg_postmaster_start_time() to " +
        owner);
    tx.commit();
}

}  // namespace svc::devapi
