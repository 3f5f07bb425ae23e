#include "migrate/migrate.hpp"

#include <chrono>
#include <pqxx/pqxx>
#include <random>
#include <thread>

#include "hash/sha256.hpp"
#include "migrate/diff.hpp"
#include "migrate/refusal.hpp"
#include "migrate/schema.hpp"
#include "migrate/seeds.hpp"
#include "migrate/system_sql.hpp"

namespace svc::migrate {
namespace {

constexpr unsigned kTries = 5;
constexpr std::int64_t kMigrationLock = 0x7376632d6d696772;  // "svc-migr"

// One transaction that brings the database to the plan, or shows what it would do.
class Migration {
  public:
    Migration(const plan::Plan& plan, const Target& target, Result& result)
        : plan_(plan),
          target_(target),
          result_(result),
          connection_(target.url),
          tx_(connection_) {}

    void preview() {
        tx_.exec0("set local search_path = public");
        compare();
        try_probes();
        list_changes();
        result_.ok = !result_.findings.has_errors();
    }

    void apply(const Record& record) {
        begin();
        bring_system_schema();
        stand_before(record);
        compare();
        try_probes();
        list_changes();
        if (failed()) return;
        for (const Step& step : diff_.steps) {
            run(step);
            if (failed()) return;
        }
        remember();
        seed(tx_, plan_, result_.findings);
        if (failed()) return;
        prepare_statements();
        if (failed()) return;
        keep(record);
        tx_.commit();
        result_.ok = true;
    }

  private:
    bool failed() const { return result_.findings.has_errors(); }
    std::string quoted(const std::string& name) const { return tx_.quote_name(name); }
    void become(const std::string& role) { tx_.exec0("set local role " + quoted(role)); }

    void begin() {
        // One migration of a database at a time; its tables are waited for less long, since whoever
        // waits for a table makes all later readers wait too.
        tx_.exec0("set local lock_timeout = '30s'");
        tx_.exec("select pg_advisory_xact_lock(" + std::to_string(kMigrationLock) + ")");
        tx_.exec0("set local lock_timeout = '3s'");
        tx_.exec0("set local search_path = public");
        tx_.exec0("set local client_min_messages = 'warning'");
        become(target_.owner_role);
    }

    // PostgreSQL reads a pattern only when a row meets it: a wrong one must show now.
    void try_probes() {
        for (const plan::Table& table : plan_.tables) {
            for (const plan::TableObject& object : table.constraints) {
                if (!object.probe.empty()) try_probe(object);
            }
        }
    }

    void try_probe(const plan::TableObject& object) {
        pqxx::subtransaction sub(tx_);
        try {
            sub.exec(object.probe);
            sub.commit();
        } catch (const pqxx::sql_error& error) {
            sub.abort();
            result_.findings.error(
                "BAD_PATTERN", object.path + "/pattern",
                "PostgreSQL cannot read this pattern: " + read_error(error).message + ".",
                "Write a POSIX regular expression.");
        }
    }

    void bring_system_schema() {
        std::string sql(embedded("system.sql"));
        replace(sql, ":data_role", quoted(target_.data_role));
        replace(sql, ":system_role", quoted(target_.system_role));
        const std::string hash = hash::sha256(sql);
        const Key key{"system", "system.sql"};
        if (read_schema(tx_).recorded[key].hash == hash) return;
        tx_.exec(sql);
        tx_.exec_params0(
            "insert into svc.managed (kind, name, hash) values ($1, $2, $3) "
            "on conflict (kind, name) do update set hash = $3",
            key.first, key.second, hash);
    }

    // Locks the row: whoever overtakes this apply waits until it has ended.
    void stand_before(const Record& record) {
        const auto rows = tx_.exec("select fence from svc.contract for update");
        if (!rows.empty() && rows[0][0].as<std::int64_t>() > record.token)
            throw std::runtime_error("Another apply has overtaken this one.");
    }

    static void replace(std::string& text, const std::string& hole, const std::string& by) {
        for (auto at = text.find(hole); at != std::string::npos; at = text.find(hole, at)) {
            text.replace(at, hole.size(), by);
            at += by.size();
        }
    }

    void compare() {
        schema_ = read_schema(tx_);
        diff_ = diff(plan_, schema_, quoted(target_.data_role));
        ask(tx_, diff_.probes, result_.findings);
    }

    void list_changes() {
        result_.changes.clear();
        for (const Step& step : diff_.steps) result_.changes.push_back(step.change);
    }

    // Under a savepoint only where stored rows may refuse: they are looked up after it.
    void run(const Step& step) {
        try {
            if (step.rows_may_be_in_way) {
                pqxx::subtransaction sub(tx_);
                sub.exec(step.change.sql);
                sub.commit();
            } else {
                tx_.exec(step.change.sql);
            }
            return;
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& error) {
            error_ = read_error(error);
            if (is_busy(error_.state)) throw;
        }
        explain(tx_, step, error_, result_.findings);
    }

    void remember() {
        std::string gone, made;
        for (const Key& key : diff_.gone) {
            gone += (gone.empty() ? "" : ",") + row({key.first, key.second}, "");
        }
        std::int64_t place = 0;
        for (const auto& [key, recorded] : schema_.recorded)
            place = std::max(place, recorded.place);
        for (const Made& one : diff_.made) {
            made += (made.empty() ? "" : ",") +
                    row({one.key.first, one.key.second, one.hash, one.drop_sql},
                        "," + std::to_string(++place));
        }
        if (!gone.empty()) tx_.exec("delete from svc.managed where (kind, name) in (" + gone + ")");
        if (made.empty()) return;
        tx_.exec("insert into svc.managed (kind, name, hash, drop_sql, place) values " + made +
                 " on conflict (kind, name) do update set hash = excluded.hash,"
                 " drop_sql = excluded.drop_sql, place = excluded.place");
    }

    std::string row(std::initializer_list<std::string> texts, const std::string& more) const {
        std::string out;
        for (const auto& text : texts) out += (out.empty() ? "(" : ",") + tx_.quote(text);
        return out + more + ")";
    }

    // As the role that will run them. What does not prepare here would fail every request that
    // needs it.
    void prepare_statements() {
        become(target_.data_role);
        for (const auto& statement : plan_.statements()) {
            std::string types;
            for (const auto& type : statement.types) types += (types.empty() ? "" : ", ") + type;
            try {
                tx_.exec("prepare svc_check" + (types.empty() ? "" : " (" + types + ")") + " as " +
                         statement.sql);
                tx_.exec("deallocate svc_check");
            } catch (const pqxx::broken_connection&) {
                throw;
            } catch (const pqxx::sql_error& error) {
                const SqlError told = read_error(error);
                if (is_busy(told.state)) throw;
                result_.findings.error("STATEMENT_INVALID", "",
                                       "The statement " + statement.name +
                                           " of the new server does " +
                                           "not prepare: " + told.message + ".",
                                       statement.sql);
                return;
            }
        }
        become(target_.owner_role);
    }

    void keep(const Record& record) {
        tx_.exec_params0(
            "insert into svc.contract (only_one, version, contract, hash, binary_path, apply_id,"
            " fence) values (true, $1, $2, $3, $4, nullif($5, '')::uuid, $6)"
            " on conflict (only_one) do update set version = $1, contract = $2, hash = $3,"
            " binary_path = $4, apply_id = nullif($5, '')::uuid, fence = $6, applied_at = now()",
            record.version, record.contract, record.hash, record.binary_path, record.apply_id,
            record.token);
    }

    const plan::Plan& plan_;
    const Target& target_;
    Result& result_;
    pqxx::connection connection_;
    pqxx::work tx_;
    Schema schema_;
    Diff diff_;
    SqlError error_;
};

void pause(unsigned tried) {
    thread_local std::minstd_rand random{std::random_device{}()};
    std::uniform_int_distribution<unsigned> jitter(50, 100 + 200 * tried);
    std::this_thread::sleep_for(std::chrono::milliseconds(jitter(random)));
}

// The work, again where another transaction was in the way; nothing of a failed try remains.
template <class Work>
Result tried(const plan::Plan& plan, const Target& target, Work work) {
    for (unsigned attempt = 1;; ++attempt) {
        Result result;
        try {
            Migration migration(plan, target, result);
            work(migration);
            return result;
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& error) {
            const SqlError told = read_error(error);
            if (is_busy(told.state) && attempt < kTries) {
                pause(attempt);
                continue;
            }
            const bool busy = is_busy(told.state);
            result.ok = false;
            result.findings.error(
                busy ? "DATABASE_BUSY" : "MIGRATION_FAILED", "",
                (busy ? "Another transaction keeps a table locked: " : "The database refused: ") +
                    told.message + " (" + told.state + ").",
                busy ? "Try again when it has ended." : error.query());
            return result;
        }
    }
}

}  // namespace

Result preview(const plan::Plan& plan, const Target& target) {
    return tried(plan, target, [](Migration& migration) { migration.preview(); });
}

Result apply(const plan::Plan& plan, const Target& target, const Record& record) {
    return tried(plan, target, [&](Migration& migration) { migration.apply(record); });
}

}  // namespace svc::migrate
