// Why PostgreSQL refused, told to the author of the contract.
#pragma once

#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "migrate/diff.hpp"

namespace svc::migrate {

// libpq's text of an error, taken apart.
struct SqlError {
    std::string state;  // SQLSTATE
    std::string message;
    std::string detail;
};
SqlError read_error(const pqxx::sql_error& error);

// Another transaction holds what this one needs: the whole may be tried again.
bool is_busy(const std::string& state);

// "rows 0198…, 0198… and more" of a query for ids, at most five named. Empty where it gives none.
std::string name_rows(pqxx::transaction_base& tx, const std::string& query);

// Asks every question of a Diff; changes nothing that outlives the transaction.
void ask(pqxx::transaction_base& tx, const std::vector<Probe>& probes, diag::Findings& findings);

// ROWS_IN_THE_WAY or MIGRATION_FAILED for a step that failed. `tx` is usable, as before the step.
void explain(pqxx::dbtransaction& tx, const Step& step, const SqlError& error,
             diag::Findings& findings);

}  // namespace svc::migrate
