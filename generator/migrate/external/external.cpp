#include "migrate/external/external.hpp"

#include <set>

#include "diag/codes.hpp"
#include "migrate/external/server_options.hpp"
#include "migrate/refusal/refusal.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::External;

// Bounds of every call: a database that is slow or gone must not hold a connection of the app
// for long. What is asked is sent as it stands; whole pages come in one piece.
const Options kBounds = {{"connect_timeout", "3"},
                         {"fetch_size", "1000"},
                         {"keepalives_idle", "10"},
                         {"tcp_user_timeout", "15000"},
                         {"options", "-c statement_timeout=20s -c lock_timeout=3s"}};

struct Server {
    std::string name, secret, path;
};

std::vector<Server> servers(const plan::Plan& plan) {
    std::vector<Server> out;
    std::set<std::string> seen;
    for (const External& external : plan.externals) {
        if (!seen.insert(external.connection).second) continue;
        out.push_back({plan::server_name(external.connection), external.connection,
                       external.path + "/external/connection"});
    }
    return out;
}

Options wanted_of_server(const Connection& connection) {
    Options out = kBounds;
    for (const auto& [name, value] : connection.server) out[name] = value;
    return out;
}

// Its text holds what nobody may read: neither PostgreSQL's log nor an error of svc gets it.
void run_hidden(pqxx::work& tx, const std::string& sql, const std::string& what) {
    try {
        tx.exec0(sql);
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        throw Failure("DATABASE_FAILED", what + " could not be set: " + read_error(error).message);
    }
}

void bring_server(pqxx::work& tx, const std::string& name, const Connection& connection,
                  const std::string& owner) {
    const Options wanted = wanted_of_server(connection);
    const std::string server = "server " + tx.quote_name(name);
    const auto now = server_options(tx, name);
    if (!now) {
        run_hidden(tx,
                   "create " + server + " foreign data wrapper postgres_fdw options (" +
                       created(tx, wanted) + ")",
                   "The address of " + name);
    } else if (const std::string changes = altered(tx, *now, wanted); !changes.empty()) {
        run_hidden(tx, "alter " + server + " options (" + changes + ")", "The address of " + name);
    }
    tx.exec0("grant usage on foreign " + server + " to " + tx.quote_name(owner));
}

void bring_account(pqxx::work& tx, const std::string& name, const Connection& connection,
                   const std::string& owner) {
    const std::string mapping =
        "user mapping for " + tx.quote_name(owner) + " server " + tx.quote_name(name);
    const auto now = account_options(tx, name, owner);
    const std::string changes =
        now ? altered(tx, *now, connection.account) : created(tx, connection.account);
    if (changes.empty() && now) return;
    run_hidden(tx,
               (now ? "alter " : "create ") + mapping +
                   (changes.empty() ? "" : " options (" + changes + ")"),
               "The account of " + name);
}

bool is_superuser(pqxx::transaction_base& tx) {
    return tx.exec1("select rolsuper from pg_roles where rolname = current_user")[0].as<bool>();
}

bool may_connect(pqxx::transaction_base& tx) {
    return tx
        .exec1(
            "select exists (select from pg_foreign_data_wrapper where fdwname ="
            " 'postgres_fdw' and has_foreign_data_wrapper_privilege(oid, 'usage'))")[0]
        .as<bool>();
}

void refuse_rights(pqxx::transaction_base& tx, const std::string& path, diag::Findings& findings) {
    const auto row = tx.exec1("select quote_ident(current_database()), quote_ident(current_user)");
    findings.error(
        "EXTERNAL_NEEDS_SUPERUSER", path,
        "External entities need the extension postgres_fdw. Only a superuser can install it, "
        "and the account of DATABASE_URL is not a superuser.",
        "As a superuser, run once in the database " + std::string(row[0].c_str()) +
            ": create extension postgres_fdw; grant usage on foreign data wrapper "
            "postgres_fdw to " +
            row[1].c_str() + ";");
}

// Only a superuser may say that an account needs no password, or keep statements out of the log.
bool bring_wrapper(pqxx::work& tx, const std::string& owner, const std::string& path,
                   diag::Findings& findings) {
    if (is_superuser(tx)) {
        tx.exec0("create schema if not exists " + plan::kForeignSchema + " authorization " +
                 tx.quote_name(owner));
        tx.exec0("create extension if not exists postgres_fdw with schema " + plan::kForeignSchema);
        for (const char* setting : {"log_statement = 'none'", "log_min_error_statement = 'panic'",
                                    "log_min_duration_statement = -1"}) {
            tx.exec0(std::string("set local ") + setting);
        }
        return true;
    }
    if (may_connect(tx)) return true;
    refuse_rights(tx, path, findings);
    return false;
}

void check_connection(const Target& target, const Server& server, diag::Findings& findings) {
    const std::string how = "svc secrets set " + server.secret +
                            " postgres://<user>:<password>@<host>:<port>/<database>";
    const auto at = target.connections.find(server.secret);
    if (at == target.connections.end()) {
        findings.error(diag::kSecretMissing, server.path,
                       "The project has no secret " + server.secret +
                           ", which must hold the address of the other database.",
                       how);
    } else if (!at->second.error.empty()) {
        findings.error("BAD_CONNECTION", server.path,
                       "The secret " + server.secret + " cannot be used: " + at->second.error, how);
    }
}

}  // namespace

std::vector<Change> connections_changed(pqxx::transaction_base& tx, const plan::Plan& plan,
                                        const Target& target) {
    std::vector<Change> out;
    for (const Server& server : servers(plan)) {
        const auto at = target.connections.find(server.secret);
        if (at == target.connections.end() || !at->second.error.empty()) continue;
        const auto now = server_options(tx, server.name);
        const auto account = account_options(tx, server.name, target.owner_role);
        const bool same = now == wanted_of_server(at->second) && account == at->second.account;
        if (same) continue;
        out.push_back({now ? ChangeKind::alter_server : ChangeKind::create_server, "", "",
                       (now ? "alter server " : "create server ") + plan::ident(server.name) +
                           (now ? "" : " foreign data wrapper postgres_fdw") +
                           "  -- address and account: secret " + server.secret});
    }
    return out;
}

std::vector<Change> connections_left(pqxx::transaction_base& tx, const plan::Plan& plan) {
    std::set<std::string> wanted;
    for (const Server& server : servers(plan)) wanted.insert(server.name);
    std::vector<Change> out;
    for (const auto& row : tx.exec("select srvname from pg_foreign_server where srvname like "
                                   "'svc\\_ext\\_%' order by 1")) {
        const std::string name = row[0].c_str();
        if (wanted.contains(name)) continue;
        out.push_back({ChangeKind::drop_server, "", "",
                       "drop server if exists " + plan::ident(name) + " cascade"});
    }
    return out;
}

void connect(pqxx::work& tx, const plan::Plan& plan, const Target& target,
             diag::Findings& findings) {
    for (const Server& server : servers(plan)) check_connection(target, server, findings);
    if (findings.has_errors()) return;
    if (!bring_wrapper(tx, target.owner_role, plan.externals.front().path + "/external", findings))
        return;
    for (const Server& server : servers(plan)) {
        const Connection& connection = target.connections.at(server.secret);
        bring_server(tx, server.name, connection, target.owner_role);
        bring_account(tx, server.name, connection, target.owner_role);
    }
}

void forget_other_keys(pqxx::transaction_base& tx, const std::map<std::string, std::string>& types,
                       Schema& schema) {
    for (const auto& [entity, type] : types) {
        const auto rows = tx.exec_params(
            "select a.atttypid = $2::regtype from pg_attribute a where a.attname = 'id' and"
            " a.attrelid = to_regclass($1)",
            plan::kForeignSchema + "." + plan::ident(entity), type);
        if (rows.empty() || rows[0][0].as<bool>()) continue;
        schema.recorded[{ObjectKind::foreign, entity}].hash.clear();
    }
}

void refuse_kept_tables(const plan::Plan& plan, const Schema& schema, diag::Findings& findings) {
    for (const External& external : plan.externals) {
        if (!schema.tables.contains(external.entity)) continue;
        findings.error("EXTERNAL_NAME_KEPT", external.path,
                       "The app's database has a table " + external.entity +
                           " of its own, and its rows are kept.",
                       "Give the entity another name, or rename that table first.");
    }
}

}  // namespace svc::migrate
