// Explains to the author of the contract why rows or PostgreSQL refuse a change.
#pragma once

#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "migrate/diff/diff.hpp"

namespace svc::migrate {

// libpq's text of an error, taken apart.
struct SqlError {
    std::string state;  // SQLSTATE
    std::string message;
    std::string detail;
};
SqlError read_error(const pqxx::sql_error& error);
// Another transaction or the machine is at fault, so the error says nothing about stored rows.
bool says_nothing_of_rows(const SqlError& error);

// "rows 0198…, 0198… and more" of a query for ids, at most five named. Empty if it gives none.
std::string name_rows(pqxx::transaction_base& tx, const std::string& query);

// Runs every query of a Diff about stored rows. Changes nothing that outlives the transaction.
void ask(pqxx::dbtransaction& tx, const Diff& diff, diag::Findings& findings);

// "rows … break …" for a claim, about the rows that `shape` selects. Empty if all fit.
std::string rows_in_the_way(pqxx::dbtransaction& tx, const Claim& claim, const Shape& shape);
void refuse_rows(const Claim& claim, const std::string& rows, diag::Findings& findings);

// ROWS_IN_THE_WAY or MIGRATION_FAILED for a step that failed. Throws Failure where the database is
// at fault.
void explain(const Step& step, const SqlError& error, diag::Findings& findings);

}  // namespace svc::migrate
