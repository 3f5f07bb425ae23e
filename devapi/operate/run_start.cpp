// Starts a run of a workflow by hand.
#include <pqxx/pqxx>

#include "base/sql_state.hpp"
#include "migrate/refusal/refusal.hpp"
#include "operate/runs.hpp"

namespace svc::devapi {
namespace {

// An account's id: of the address, or of a persona the one that has been there longest.
std::optional<std::string> account_of(pqxx::work& tx, const std::string& as) {
    const auto rows = tx.exec_params(
        "select id from svc.account where (email = lower($1) or persona = $1) and not disabled "
        "order by email = lower($1) desc, created_at, id limit 1",
        as);
    if (rows.empty()) return std::nullopt;
    return rows[0][0].c_str();
}

// SV400 and SV404 of svc.start_by_hand; any other error is not a caller's mistake.
std::optional<Refusal> refusal_of(const pqxx::sql_error& error) {
    const migrate::SqlError read = migrate::read_error(error);
    if (read.state != base::sqlstate::kMisfit && read.state != base::sqlstate::kNotFound)
        return std::nullopt;
    Refusal out;
    out.why =
        read.state == base::sqlstate::kNotFound ? Refusal::Why::not_found : Refusal::Why::bad_input;
    out.message = read.message;
    out.details = read.detail;
    return out;
}

Started no_such_account(const std::string& as) {
    return {{},
            {Refusal::Why::nobody,
             "The app has no account '" + as + "' and no account of that role.",
             {}}};
}

// The id of the run.
std::string start_by_hand(pqxx::work& tx, const StartRequest& wanted,
                          const std::optional<std::string>& actor) {
    const std::string call =
        "select svc.start_by_hand($1, $2::jsonb, "
        "'{\"kind\":\"manual\",\"by\":\"developer\"}', $3::uuid";
    const std::string input = wanted.input.empty() ? "{}" : wanted.input;
    // A database of an older compiler knows no rows here.
    const bool has_row = !wanted.row.empty() || !wanted.old.empty();
    const auto rows = has_row
                          ? tx.exec_params(call + ", nullif($4, ''), nullif($5, '')::jsonb)",
                                           wanted.workflow, input, actor, wanted.row, wanted.old)
                          : tx.exec_params(call + ")", wanted.workflow, input, actor);
    return rows[0][0].c_str();
}

}  // namespace

Started start_run(const std::string& database, const StartRequest& wanted) try {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    std::optional<std::string> actor;
    if (!wanted.as.empty()) {
        actor = account_of(tx, wanted.as);
        if (!actor) return no_such_account(wanted.as);
    }
    const std::string run = start_by_hand(tx, wanted, actor);
    // The transaction began at now(); what it made is later.
    const bool earlier =
        !tx.exec_params("select from svc.run where id = $1 and created_at < now()", run).empty();
    tx.commit();
    return {run, {}, earlier};
} catch (const pqxx::sql_error& error) {
    auto refusal = refusal_of(error);
    if (!refusal) throw;
    return {{}, std::move(*refusal)};
}

}  // namespace svc::devapi
