#include "migrate/migration.hpp"

#include "base/sha256.hpp"
#include "base/sql_state.hpp"
#include "migrate/diff/holes.hpp"
#include "migrate/external/external.hpp"
#include "migrate/flows.hpp"
#include "migrate/large/locks.hpp"
#include "migrate/seed/seeds.hpp"
#include "migrate/system_sql.hpp"

namespace svc::migrate {
namespace {

void bound(pqxx::transaction_base& tx, unsigned ms) {
    tx.exec0("set local statement_timeout = " + std::to_string(ms));
}

}  // namespace

void Migration::preview() {
    tx_.emplace(connection_);
    settings(*tx_, "local ");
    bound(*tx_, target_.limits.preview_ms);
    reached_ = connections_changed(*tx_, plan_, target_);
    left_ = connections_left(*tx_, plan_);
    compare(*tx_);
    try_probes();
    list_changes();
    result_.ok = !result_.findings.has_errors();
}

void Migration::apply(const Record& record) {
    prepare_large();
    if (failed()) return;
    result_.findings = {};
    tx_.emplace(connection_);
    begin(*tx_);
    bring_system_schema();
    bring_caller_rights();
    stand_before(record);
    if (!reach()) return;
    compare(*tx_);
    try_probes();
    list_changes();
    if (failed()) return;
    stop_deferred();
    lock_tables(*tx_, diff_.steps, target_.limits.lock_ms, waiting_);
    for (const Step& step : diff_.steps) {
        run(step);
        if (failed()) return;
    }
    leave();
    remember();
    remember_keep_times();
    set_flows(*tx_, plan_);
    seed(*tx_, plan_, diff_.called, result_.findings);
    if (failed()) return;
    prepare_statements();
    if (failed()) return;
    remember_later();
    print_found();
    keep(record);
    trace("commit");
    tx_->commit();
    result_.ok = true;
}

// Locks the row, so a later apply waits until this one has ended.
void Migration::stand_before(const Record& record) {
    const auto rows = tx_->exec("select fence from svc.contract for update");
    if (!rows.empty() && rows[0][0].as<std::int64_t>() > record.token)
        throw std::runtime_error("Another apply has overtaken this one.");
}

// The text form of values must not depend on the server's settings.
void Migration::settings(pqxx::transaction_base& tx, const char* local) {
    const std::string set = std::string("set ") + local;
    tx.exec0(set + "search_path = public");
    tx.exec0(set + "timezone = 'UTC'");
    tx.exec0(set + "datestyle = 'ISO, YMD'");
    tx.exec0(set + "extra_float_digits = 1");
    tx.exec0(set + "client_min_messages = 'warning'");
}

void Migration::begin(pqxx::work& tx) {
    settings(tx, "local ");
    bound(tx, target_.limits.statement_ms);
    tx.exec0("set local lock_timeout = " + std::to_string(target_.limits.lock_ms));
    become(target_.owner_role);
}

// PostgreSQL reads a pattern only when a row meets it: a wrong one must show now.
void Migration::try_probes() {
    for (const plan::Table& table : plan_.tables) {
        for (const plan::TableObject& object : table.constraints) {
            if (!object.probe.empty()) try_probe(object);
        }
    }
}

void Migration::try_probe(const plan::TableObject& object) {
    pqxx::subtransaction sub(*tx_);
    try {
        sub.exec(object.probe);
        sub.commit();
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        sub.abort();
        result_.findings.error(
            "BAD_PATTERN", object.path + "/pattern",
            "PostgreSQL cannot read this pattern: " + read_error(error).message + ".",
            "Write a POSIX regular expression.");
    }
}

void Migration::bring_system_schema() {
    std::string sql;
    for (const char* file : kSystemFiles) sql += embedded(file);
    sql = fill_placeholder(sql, ":data_role", quoted(target_.data_role));
    sql = fill_placeholder(sql, ":system_role", quoted(target_.system_role));
    const std::string hash = base::sha256_hex(sql);
    const Key key{ObjectKind::system, "system.sql"};
    if (recorded_hash(*tx_, key) == hash) return;
    trace("system.sql");
    tx_->exec(sql);
    tx_->exec_params0(
        "insert into svc.managed (kind, name, hash) values ($1, $2, $3) "
        "on conflict (kind, name) do update set hash = $3",
        std::string(base::word(key.first)), key.second, hash);
}

void Migration::compare(pqxx::dbtransaction& tx) {
    schema_ = read_schema(tx, target_.data_role);
    schema_.replaced = target_.replaced;
    refuse_kept_tables(plan_, schema_, result_.findings);
    forget_other_keys(tx, key_types_, schema_);
    diff_ = diff(plan_, schema_, quoted(target_.data_role), target_.limits.large_rows);
    for (Step& step : diff_.steps) {
        const auto type = key_types_.find(step.key.second);
        if (step.key.first == ObjectKind::foreign && type != key_types_.end())
            step.change.sql = fill_placeholder(step.change.sql, ":key_type", type->second);
    }
    result_.leftovers = diff_.leftovers;
    for (const auto& finding : diff_.findings.all()) result_.findings.add(finding);
    warn_of_deleted(tx);
    // Rows are named by their ids, which a table that is in the way may lack.
    if (!diff_.findings.has_errors()) ask(tx, diff_, result_.findings);
}

// The administrator owns servers and accounts; the owner owns the objects that use them.
bool Migration::reach() {
    left_ = connections_left(*tx_, plan_);
    if (plan_.externals.empty()) return true;
    tx_->exec0("set local role none");
    reached_ = connections_changed(*tx_, plan_, target_);
    connect(*tx_, plan_, target_, result_.findings);
    if (failed()) return false;
    become(target_.owner_role);
    key_types_ = verify(*tx_, plan_, result_.findings);
    return !failed();
}

void Migration::leave() {
    if (left_.empty()) return;
    tx_->exec0("set local role none");
    for (const Change& change : left_) tx_->exec0(change.sql);
    become(target_.owner_role);
}

void Migration::list_changes() {
    result_.changes = reached_;
    for (const Step& step : diff_.first) result_.changes.push_back(step.change);
    for (const Step& step : diff_.steps) result_.changes.push_back(step.change);
    result_.changes.insert(result_.changes.end(), left_.begin(), left_.end());
    for (const DeferredStep& later : diff_.later) {
        const auto dot = later.key.second.find('.');
        const bool column = later.key.first == ObjectKind::not_null;
        const bool whole = later.sql == later.shown;  // of a constraint: it is not made yet
        const ChangeKind kind = later.key.first == ObjectKind::index   ? ChangeKind::create_index
                                : later.key.first == ObjectKind::words ? ChangeKind::fill_words
                                : column                               ? ChangeKind::set_not_null
                                : whole                                ? ChangeKind::add_constraint
                                        : ChangeKind::validate_constraint;
        result_.changes.push_back({kind, later.table,
                                   column ? later.key.second.substr(dot + 1) : "", later.shown,
                                   When::after});
    }
}

// Under a savepoint only where stored rows may refuse: they are looked up after it.
void Migration::run(const Step& step) {
    trace(step.change.sql);
    SqlError sql_error;
    try {
        if (step.rows_may_be_in_way) {
            pqxx::subtransaction sub(*tx_);
            sub.exec(step.change.sql);
            sub.commit();
        } else {
            tx_->exec(step.change.sql);
        }
        remember_rename(step);
        return;
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        sql_error = read_error(error);
        if (base::sqlstate::is_busy(sql_error.state)) throw;
    }
    explain(step, sql_error, result_.findings);
}

// Prepares statements as the role that will run them. A statement that cannot be prepared would
// fail every request that needs it.
void Migration::prepare_statements() {
    become(target_.data_role);
    for (const auto& statement : plan_.statements()) {
        std::string types;
        for (const auto& type : statement.types) types += (types.empty() ? "" : ", ") + type;
        try {
            tx_->exec("prepare svc_check" + (types.empty() ? "" : " (" + types + ")") + " as " +
                      statement.sql);
            tx_->exec("deallocate svc_check");
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& error) {
            const SqlError sql_error = read_error(error);
            if (base::sqlstate::is_busy(sql_error.state)) throw;
            result_.findings.error("STATEMENT_INVALID", "",
                                   "The statement " + statement.name +
                                       " of the new server does not prepare: " + sql_error.message +
                                       ".",
                                   statement.sql);
            return;
        }
    }
    become(target_.owner_role);
}

}  // namespace svc::migrate
