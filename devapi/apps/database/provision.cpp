#include "apps/database/provision.hpp"

#include <chrono>
#include <functional>
#include <pqxx/pqxx>
#include <stdexcept>
#include <thread>

#include "apps/database/catalogue.hpp"
#include "postgres/scram.hpp"

namespace svc::devapi {
namespace {

using Work = pqxx::nontransaction;  // databases are not made inside a transaction

constexpr auto kEndTime = std::chrono::seconds(10);

bool has_role(Work& work, const std::string& role) {
    return !work.exec_params("select 1 from pg_roles where rolname = $1", role).empty();
}

void make_owner(Work& work, const std::string& role) {
    if (!has_role(work, role)) work.exec0("create role " + work.quote_name(role) + " nologin");
    // Tables are made as the owner; an administrator who is not a superuser must be a member for
    // that.
    work.exec0("grant " + work.quote_name(role) + " to current_user");
}

// The password is set each time: the master key may be another one than when the role was made.
void make_login(Work& work, const AppsConfig& config, const std::string& role) {
    const std::string verb = has_role(work, role) ? "alter role " : "create role ";
    work.exec0(verb + work.quote_name(role) + " login noinherit nocreatedb nocreaterole password " +
               work.quote(scram_verifier(role_password(config.master_key, role))));
    // Migrations prepare the server's statements as these roles would.
    work.exec0("grant " + work.quote_name(role) + " to current_user");
}

// No statement blocks others for long: neither a caller's, nor a condition or a step of a workflow,
// which are the system role's. A caller's statement that waits for a row's lock blocks later ones
// on its connection, so that wait is short. Runs may wait longer.
void limit_times(Work& work, const AppDatabase& database) {
    const auto set = [&](const std::string& role, const char* setting) {
        work.exec0("alter role " + work.quote_name(role) + " set " + setting);
    };
    set(database.data_role, "lock_timeout = '3s'");
    set(database.data_role, "statement_timeout = '30s'");
    set(database.system_role, "statement_timeout = '30s'");
}

bool is_superuser(Work& work) {
    return work.exec1("select rolsuper from pg_roles where rolname = current_user")[0].as<bool>();
}

// Limits the files of sorts and joins. Only a superuser may set it.
void limit_space(Work& work, const std::string& role) {
    if (is_superuser(work))
        work.exec0("alter role " + work.quote_name(role) + " set temp_file_limit = '1GB'");
}

// No log of PostgreSQL has values of callers, as on the private server (kSettings there). Only a
// superuser may set most of these.
void keep_out_of_log(Work& work, const std::string& role) {
    const std::string alter = "alter role " + work.quote_name(role) + " set ";
    work.exec0(alter + "log_parameter_max_length_on_error = 0");
    if (!is_superuser(work)) return;
    for (const char* setting :
         {"log_min_messages = 'log'", "log_min_error_statement = 'panic'",
          "log_error_verbosity = 'terse'", "log_parameter_max_length = 0", "log_statement = 'none'",
          "log_min_duration_statement = -1", "log_min_duration_sample = -1"})
        work.exec0(alter + setting);
}

// Folding and ordering of text must not depend on how the server was set up if that can be had.
std::string locale_clause(Work& work) {
    auto rows = work.exec("select 1 from pg_collation where collname in ('C.utf8', 'C.UTF-8')");
    return rows.empty() ? "" : " lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'";
}

bool make_database(Work& work, const AppDatabase& database) {
    if (!work.exec_params("select 1 from pg_database where datname = $1", database.name).empty())
        return false;
    work.exec0("create database " + work.quote_name(database.name) + " owner " +
               work.quote_name(database.owner_role) + " template template0 encoding 'UTF8'" +
               locale_clause(work));
    return true;
}

void close_to_others(Work& work, const AppDatabase& database) {
    const std::string name = work.quote_name(database.name);
    work.exec0("revoke all on database " + name + " from public");
    work.exec0("grant connect on database " + name + " to " + work.quote_name(database.data_role) +
               ", " + work.quote_name(database.system_role));
}

// Ends connections, and looks again, until there are none.
void until_none(const std::function<bool()>& none, const std::string& complaint) {
    const auto deadline = std::chrono::steady_clock::now() + kEndTime;
    while (!none()) {
        if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error(complaint);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

}  // namespace

bool provision(const AppsConfig& config, const AppDatabase& database) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    make_owner(work, database.owner_role);
    make_login(work, config, database.data_role);
    make_login(work, config, database.system_role);
    if (has_role(work, database.sql_role))
        work.exec0("alter role " + work.quote_name(database.sql_role) + " password " +
                   work.quote(scram_verifier(role_password(config.master_key, database.sql_role))));
    for (const auto& role : {database.data_role, database.system_role, database.sql_role})
        if (has_role(work, role)) keep_out_of_log(work, role);
    limit_times(work, database);
    limit_space(work, database.data_role);
    const bool made = make_database(work, database);
    close_to_others(work, database);
    close_catalogue(database);
    return made;
}

void drop(const AppsConfig& config, const AppDatabase& database) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    work.exec0("drop database if exists " + work.quote_name(database.name) + " with (force)");
    for (const auto& role :
         {database.sql_role, database.data_role, database.system_role, database.owner_role})
        work.exec0("drop role if exists " + work.quote_name(role));
}

void shut_database(const AppsConfig& config, const AppDatabase& database) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    for (const auto& role : {database.data_role, database.system_role, database.sql_role})
        if (has_role(work, role))
            work.exec0("revoke connect on database " + work.quote_name(database.name) + " from " +
                       work.quote_name(role));
    until_none(
        [&] {
            return work
                .exec_params(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and "
                    "usename in ($2, $3, $4)",
                    database.name, database.data_role, database.system_role, database.sql_role)
                .empty();
        },
        "Connections to " + database.name + " did not end.");
}

void drop_database(const AppsConfig& config, const std::string& name) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    work.exec0("drop database if exists " + work.quote_name(name) + " with (force)");
}

void end_connections(const AppsConfig& config, const std::string& change) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    until_none(
        [&] {
            return work
                .exec_params(
                    "select pg_terminate_backend(pid) from pg_stat_activity where "
                    "application_name = $1",
                    change_name(change))
                .empty();
        },
        "Connections of an interrupted change did not end.");
}

std::set<std::string> app_databases(const AppsConfig& config) {
    pqxx::connection connection(maintenance_url(config));
    Work work(connection);
    std::set<std::string> names;
    for (auto row :
         work.exec(R"(select datname from pg_database where datname ~ '^svc_[0-9a-f]+_')"))
        names.insert(row[0].c_str());
    return names;
}

}  // namespace svc::devapi
