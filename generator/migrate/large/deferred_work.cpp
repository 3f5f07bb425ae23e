#include "migrate/large/deferred_work.hpp"

#include <chrono>
#include <thread>

#include "base/sql_state.hpp"
#include "migrate/diff/definition.hpp"
#include "migrate/large/locks.hpp"
#include "migrate/refusal/refusal.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

constexpr unsigned kWaitMs = 30'000;
struct Task {
    ObjectKind kind;
    std::string name, table, sql;
    Key key() const { return {kind, name}; }
    // The name of a constraint or a column, without the table's.
    std::string part() const { return name.substr(name.find('.') + 1); }
};

class DeferredRunner {
  public:
    explicit DeferredRunner(const Target& target) : target_(target), connection_(target.url) {}

    void run() {
        begin();
        for (const Task& task : tasks()) attempt(task);
    }

  private:
    void exec(const std::string& sql) {
        if (target_.trace) target_.trace(sql);
        pqxx::nontransaction(connection_).exec(sql);
    }
    bool holds(const std::string& condition) {
        pqxx::nontransaction work(connection_);
        return work.exec1("select exists (select from " + condition + ")")[0].as<bool>();
    }

    // It waits for long transactions as long as they take, because nobody waits for it.
    void begin() {
        pqxx::nontransaction work(connection_);
        interrupt_deferred(work);
        take_lock(work, kDeferredLock, kWaitMs);
        work.exec0("set search_path = public");
        work.exec0("set lock_timeout = 0");
        work.exec0("set role " + connection_.quote_name(target_.owner_role));
    }

    std::vector<Task> tasks() {
        std::vector<Task> out;
        pqxx::nontransaction work(connection_);
        if (work.exec1("select to_regclass('svc.pending') is null")[0].as<bool>()) return out;
        // Short ones first, then those that a search waits for.
        for (const auto& row : work.exec("select kind, name, table_name, sql from svc.pending"
                                         " order by kind = 'index', kind = 'words', name"))
            if (const auto kind = base::read_word<ObjectKind>(row[0].c_str()))
                out.push_back({*kind, row[1].c_str(), row[2].c_str(), row[3].c_str()});
        return out;
    }

    void attempt(const Task& task) {
        std::string error;
        try {
            if (task.kind == ObjectKind::index) index(task);
            if (task.kind == ObjectKind::constraint) constraint(task);
            if (task.kind == ObjectKind::not_null) not_null(task);
            if (task.kind == ObjectKind::words) exec(task.sql);
            return finish(task);
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& failure) {
            const SqlError sql_error = read_error(failure);
            error = sql_error.message + (sql_error.detail.empty() ? "" : " " + sql_error.detail);
        }
        const std::string rows = rows_of(task);
        if (!rows.empty()) error = "Stored rows of " + task.table + " break " + rows + ".";
        pqxx::nontransaction(connection_)
            .exec_params("update svc.pending set error = $3 where kind = $1 and name = $2",
                         std::string(base::word(task.kind)), task.name, error);
    }

    // A build that was broken off leaves an index that serves nothing.
    void index(const Task& task) { build(task.name, concurrently(task.sql, task.name)); }

    void build(const std::string& name, const std::string& sql) {
        const std::string here =
            "pg_index x join pg_class i on i.oid = x.indexrelid where i.relname = " +
            plan::literal(name) + " and i.relnamespace = to_regnamespace('public') and ";
        if (holds(here + "x.indisvalid")) return;
        if (holds(here + "not x.indisvalid")) exec("drop index concurrently " + plan::table(name));
        exec(sql);
    }

    // There and not validated, or unique and not there.
    void constraint(const Task& task) {
        const std::string alter = "alter table " + plan::table(task.table) + " ";
        const Definition definition = definition_of(task.sql);
        if (definition.kind != Definition::Kind::unique) {
            return exec(alter + "validate constraint " + ident(task.part()));
        }
        if (holds("pg_constraint where conname = " + plan::literal(task.part()) +
                  " and conrelid = to_regclass(" + plan::literal(plan::table(task.table)) + ")"))
            return;
        const std::string name = build_name(task.sql);
        build(name, "create unique index concurrently " + name + " on " + plan::table(task.table) +
                        " (" + definition.columns + ")");
        soon({alter + "add constraint " + ident(task.part()) + " unique using index " + name});
    }

    // PostgreSQL believes a constraint that was validated and does not read the rows again.
    void not_null(const Task& task) {
        const std::string alter = "alter table " + plan::table(task.table) + " ";
        const std::string name = stand_in_name(task.name);
        if (!holds("pg_constraint where conname = " + plan::literal(name))) return;
        exec(alter + "validate constraint " + name);
        soon({task.sql, alter + "drop constraint " + name});
    }

    // Together, under a lock that readers would wait behind: for a short time, and again.
    void soon(const std::vector<std::string>& statements) {
        for (unsigned tried = 1;; ++tried) {
            try {
                pqxx::work tx(connection_);
                tx.exec0("set local lock_timeout = " + std::to_string(target_.limits.lock_ms));
                for (const std::string& sql : statements) {
                    if (target_.trace) target_.trace(sql);
                    tx.exec(sql);
                }
                return tx.commit();
            } catch (const pqxx::broken_connection&) {
                throw;
            } catch (const pqxx::sql_error& error) {
                if (!base::sqlstate::is_busy(read_error(error).state) ||
                    tried == target_.limits.tries)
                    throw;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(100) * (1U << tried));
        }
    }

    void finish(const Task& task) {
        pqxx::work tx(connection_);
        const auto found = read_found(tx, target_.data_role);
        const auto now = found.find(task.key());
        tx.exec_params("delete from svc.pending where kind = $1 and name = $2",
                       std::string(base::word(task.kind)), task.name);
        if (now != found.end()) {
            tx.exec_params("update svc.managed set printed = $3 where kind = $1 and name = $2",
                           std::string(base::word(task.kind)), task.name, now->second.printed);
        }
        tx.commit();
    }

    std::string rows_of(const Task& task) {
        pqxx::work tx(connection_);
        if (task.kind == ObjectKind::not_null) {
            const std::string column = ident(task.part());
            const auto rows = name_rows(
                tx, "select id from " + plan::table(task.table) + " where " + column + " is null");
            return rows.empty() ? "" : column + " is not null: " + rows;
        }
        const std::string all = "(select * from " + plan::table(task.table) + ")";
        return rows_in_the_way(tx, {task.table, task.name, task.sql, ""}, {all, {}, {}});
    }

    const Target& target_;
    pqxx::connection connection_;
};

}  // namespace

void interrupt_deferred(pqxx::transaction_base& tx) {
    tx.exec(std::string("select pg_terminate_backend(pid, 5000) from pg_locks where locktype ="
                        " 'advisory' and granted and pid <> pg_backend_pid() and database ="
                        " (select oid from pg_database where datname = current_database())"
                        " and (classid::bigint << 32 | objid::bigint) = ") +
            std::to_string(kDeferredLock));
}

void interrupt(const Target& target) {
    pqxx::connection connection(target.url);
    pqxx::nontransaction work(connection);
    interrupt_deferred(work);
}

std::vector<Pending> run_deferred(const Target& target) {
    DeferredRunner(target).run();
    return pending(target);
}

std::vector<Pending> pending(const Target& target) {
    std::vector<Pending> out;
    pqxx::connection connection(target.url);
    pqxx::nontransaction work(connection);
    if (work.exec1("select to_regclass('svc.pending') is null")[0].as<bool>()) return out;
    for (const auto& row :
         work.exec("select kind, name, table_name, path, error from svc.pending order by name"))
        if (const auto kind = base::read_word<ObjectKind>(row[0].c_str()))
            out.push_back({*kind, row[1].c_str(), row[2].c_str(), row[3].c_str(), row[4].c_str()});
    return out;
}

}  // namespace svc::migrate
