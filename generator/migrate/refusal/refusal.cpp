#include "migrate/refusal/refusal.hpp"

#include "base/sql_state.hpp"
#include "migrate/refusal/explain_failure.hpp"

namespace svc::migrate {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::string_view kDetail = "\nDETAIL:  ";

// The text after `label` up to the next of PostgreSQL's labels.
std::string part(const std::string& text, std::size_t from) {
    std::size_t end = text.size();
    for (const char* next : {"\nDETAIL:", "\nHINT:", "\nCONTEXT:", "\nLINE ", "\nQUERY:"}) {
        end = std::min(end, text.find(next, from));
    }
    std::string found = text.substr(from, end - from);
    while (!found.empty() && found.back() == '\n') found.pop_back();
    return found;
}

}  // namespace

SqlError read_error(const pqxx::sql_error& error) {
    const std::string text = error.what();
    SqlError out;
    out.state = error.sqlstate();
    // For some errors libpqxx has a type instead.
    if (out.state.empty() && dynamic_cast<const pqxx::insufficient_privilege*>(&error) != nullptr)
        out.state = base::sqlstate::kForbidden;
    const auto severity = text.find(":  ");
    out.message = part(text, severity == std::string::npos ? 0 : severity + 3);
    const auto detail = text.find(kDetail);
    if (detail != std::string::npos) out.detail = part(text, detail + kDetail.size());
    return out;
}

bool says_nothing_of_rows(const SqlError& error) {
    return base::sqlstate::is_busy(error.state) || base::sqlstate::is_of_machine(error.state);
}

std::string name_rows(pqxx::transaction_base& tx, const std::string& query) {
    const auto rows = tx.exec(query + " limit " + std::to_string(kMostNamed + 1));
    if (rows.empty()) return {};
    std::string named = rows.size() == 1 ? "row " : "rows ";
    for (std::size_t i = 0; i < rows.size() && i < kMostNamed; ++i) {
        named += (i == 0 ? "" : ", ") + std::string(rows[static_cast<int>(i)][0].c_str());
    }
    return rows.size() > kMostNamed ? named + " and more" : named;
}

void refuse_rows(const Claim& claim, const std::string& rows, diag::Findings& findings) {
    findings.error("ROWS_IN_THE_WAY", claim.path,
                   "Stored rows of " + claim.table + " break " + rows + ".",
                   "Change these rows first, or remove the limit.");
}

// The rows were checked before, so a row that breaks this was written since.
void explain(const Step& step, const SqlError& error, diag::Findings& findings) {
    if (base::sqlstate::is_of_machine(error.state)) {
        throw Failure("DATABASE_FAILED", "The database could not " + words_of(step) + ": " +
                                             error.message + " (" + error.state + ").");
    }
    if (step.rows_may_be_in_way && base::sqlstate::is_of_constraint(error.state)) {
        findings.error("ROWS_IN_THE_WAY", step.path,
                       "Stored rows break this: " + error.message + "." +
                           (error.detail.empty() ? "" : " " + error.detail),
                       "Change these rows first, or remove the limit.");
        return;
    }
    findings.error("MIGRATION_FAILED", step.path,
                   "The database refused to " + words_of(step) + ": " + error.message + " (" +
                       error.state + ")." + (error.detail.empty() ? "" : " " + error.detail),
                   fix_of(error.state, step.change.sql));
}

}  // namespace svc::migrate
