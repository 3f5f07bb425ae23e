#include "apps/database/demo.hpp"

#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "migrate/refusal/refusal.hpp"
#include "migrate/seed/seeds.hpp"
#include "pipeline.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kReset = "demo_reset";

bool has_seeds(const plan::Plan& plan) {
    return !plan.seeds_unchanged && (!plan.seed_rows.empty() || !plan.seed_users.empty());
}

// The contract that the rows follow; its queries were proved when it was applied.
std::optional<plan::Plan> plan_of(const AppDatabase& database) {
    const auto record = read_record(database);
    if (!record) return std::nullopt;
    return pipeline::check(record->contract).plan;
}

void begin(pqxx::work& tx, const AppDatabase& database, std::int64_t token) {
    tx.exec0("set local lock_timeout = '5s'");
    tx.exec0("set local statement_timeout = '60s'");
    const auto rows = tx.exec("select fence from svc.contract for update");
    if (!rows.empty() && rows[0][0].as<std::int64_t>() > token)
        throw std::runtime_error("A newer change of this project has replaced this one.");
    tx.exec0("set local role " + tx.quote_name(database.owner_role));
    tx.exec(
        "select set_config('svc.principals', 'server', true), set_config('svc.user_id', '', true), "
        "set_config('svc.claims', '', true)");
}

// All in one statement: rows may refer to each other in any direction, and to those of the same
// table. A reset leaves rows of other databases alone.
void delete_rows(pqxx::work& tx, const plan::Plan& plan) {
    std::string parts;
    for (std::size_t i = 0; i < plan.tables.size(); ++i) {
        if (plan.tables[i].external) continue;
        parts += (parts.empty() ? "with " : ", ") + std::string("_d") + std::to_string(i) +
                 " as (delete from public." + tx.quote_name(plan.tables[i].name) + ")";
    }
    if (!parts.empty()) tx.exec(parts + " select 1");
    tx.exec0("delete from svc.deleted");
    tx.exec0("delete from svc.seed where entity <> '@users'");
}

DemoRefusal demo_refused(const std::string& why) { return {Code::conflict, why}; }

std::optional<DemoRefusal> refill(pqxx::work& tx, const plan::Plan& plan) {
    delete_rows(tx, plan);
    diag::Findings findings;
    migrate::seed(tx, plan, {}, findings);
    for (const auto& finding : findings.items())
        if (finding.severity == diag::Severity::error)
            return demo_refused("The seed rows cannot be created: " + finding.message);
    return std::nullopt;
}

}  // namespace

DemoState demo_state(const std::string& admin_url) {
    pqxx::connection connection(admin_url);
    pqxx::read_transaction tx(connection);
    const auto row = tx.exec_params1(
        "select coalesce((select json_typeof(c.contract::json -> 'seeds') = 'object' "
        "from svc.contract c), false), coalesce((select " +
            iso_millis("max(at)") + " from svc.audit where event = $1), '')",
        kReset);
    return {row[0].as<bool>(), row[1].c_str()};
}

std::optional<DemoRefusal> reset_demo(const AppsConfig& config, const std::string& project,
                                      const std::string& change, std::int64_t token) {
    const AppDatabase database = app_database(for_change(config, change), project, Env::dev);
    const auto plan = plan_of(database);
    if (!plan || !has_seeds(*plan))
        return demo_refused("The contract has no seeds, so the rows cannot be reset.");
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    try {
        begin(tx, database, token);
        if (auto error = refill(tx, *plan)) return error;
        tx.exec0("reset role");
        tx.exec_params0("insert into svc.audit (event) values ($1)", kReset);
        tx.commit();
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        const migrate::SqlError sql_error = migrate::read_error(error);
        return demo_refused(sql_error.message +
                            (sql_error.detail.empty() ? "" : " " + sql_error.detail));
    }
    return std::nullopt;
}

}  // namespace svc::devapi
