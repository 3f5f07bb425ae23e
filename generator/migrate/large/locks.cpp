#include "migrate/large/locks.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "migrate/diff/definition.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using Clock = std::chrono::steady_clock;

// Weakest first.
enum class Mode { share, share_row_exclusive, access_exclusive };

constexpr const char* kWords[] = {"share", "share row exclusive", "access exclusive"};

bool takes_no_lock(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::create_table:
        case ChangeKind::create_sequence:
        case ChangeKind::drop_sequence:
        case ChangeKind::create_words:
        case ChangeKind::drop_words:
        case ChangeKind::function:
        case ChangeKind::drop_function:
        case ChangeKind::grant:
        case ChangeKind::revoke:
        case ChangeKind::retire_table:
            return true;
        default:
            return false;
    }
}

Mode mode_of(const Step& step, const Definition& definition) {
    if (step.change.kind == ChangeKind::create_index || step.change.kind == ChangeKind::fill_words)
        return Mode::share;
    const bool writers_only =
        step.change.kind == ChangeKind::trigger || definition.kind == Definition::Kind::foreign_key;
    return writers_only ? Mode::share_row_exclusive : Mode::access_exclusive;
}

std::map<std::string, Mode> wanted(const std::vector<Step>& steps) {
    std::map<std::string, Mode> out;
    const auto want = [&](const std::string& table, Mode mode) {
        out[table] = std::max(out.try_emplace(table, mode).first->second, mode);
    };
    for (const Step& step : steps) {
        if (step.change.table.empty() || takes_no_lock(step.change.kind)) continue;
        const Definition definition = definition_of(step.change.sql);
        const bool renamed = step.change.kind == ChangeKind::rename_table;
        want(plan::table(renamed ? step.renames : step.change.table), mode_of(step, definition));
        if (!definition.target.empty()) want(definition.target, Mode::share_row_exclusive);
    }
    return out;
}

}  // namespace

void take_lock(pqxx::transaction_base& tx, std::int64_t lock, unsigned ms) {
    tx.exec0("set lock_timeout = " + std::to_string(ms));
    tx.exec("select pg_advisory_lock(" + std::to_string(lock) + ")");
}

// In the order of their names, so that two who do this do not wait for each other.
void lock_tables(pqxx::transaction_base& tx, const std::vector<Step>& steps, unsigned ms,
                 std::string& waiting) {
    const auto until = Clock::now() + std::chrono::milliseconds(ms);
    for (const auto& [table, mode] : wanted(steps)) {
        if (tx.exec_params1("select to_regclass($1) is null", table)[0].as<bool>()) continue;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        tx.exec0("set local lock_timeout = " +
                 std::to_string(std::max<std::int64_t>(1, left.count())));
        waiting = table;
        tx.exec0("lock table " + table + " in " + kWords[static_cast<int>(mode)] + " mode");
    }
    waiting.clear();
    tx.exec0("set local lock_timeout = " + std::to_string(ms));
}

std::string who_holds(pqxx::transaction_base& tx, const std::string& table) {
    const auto rows = tx.exec_params(
        "select a.pid, coalesce(a.state, 'active'),"
        " coalesce(extract(epoch from now() - a.xact_start)::bigint, 0),"
        " left(regexp_replace(coalesce(a.query, ''), '\\s+', ' ', 'g'), 100)"
        " from pg_locks l join pg_stat_activity a using (pid)"
        " where l.granted and l.pid <> pg_backend_pid() and case when $1 = ''"
        " then l.locktype = 'advisory' and (l.classid::bigint << 32 | l.objid::bigint) = $2"
        " else l.relation = to_regclass($1) end"
        " and l.database = (select oid from pg_database where datname = current_database())"
        " order by a.xact_start limit 3",
        table, kMigrationLock);
    std::string out;
    for (const auto& row : rows) {
        out += (out.empty() ? "" : "; ") + std::string("process ") + row[0].c_str() + " (" +
               row[1].c_str() + " for " + row[2].c_str() + " s)" +
               (*row[3].c_str() == '\0' ? "" : ": ") + row[3].c_str();
    }
    return out;
}

}  // namespace svc::migrate
