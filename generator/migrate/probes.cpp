#include "migrate/refusal.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

void ask_default(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = tx.exec1("select exists (select from " + plan::table(probe.table) + ")");
    if (!rows[0].as<bool>()) return;
    findings.error("REQUIRED_NEEDS_DEFAULT", probe.path,
                   probe.table + " has rows, which have no value for the new required field " +
                       probe.column + ".",
                   "Give it a default, or leave out required.");
}

void ask_nulls(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, "select id from " + plan::table(probe.table) + " where " +
                                        tx.quote_name(probe.column) + " is null");
    if (rows.empty()) return;
    findings.error("HAS_NULLS", probe.path,
                   probe.column + " becomes required, but it is empty in " + rows + ".",
                   "Fill in these rows first, or leave out required.");
}

// A function that tells, value by value, whether the cast of the migration would fail.
void ask_casts(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    tx.exec0("create or replace function pg_temp.svc_casts(v " + probe.from +
             ") returns boolean language plpgsql as $$ begin perform " +
             cast_expression("v", probe.from, probe.to) +
             "; return true; exception when others then return false; end $$");
    const std::string column = tx.quote_name(probe.column);
    const auto rows =
        name_rows(tx, "select id from " + plan::table(probe.table) + " where " + column +
                          " is not null and not pg_temp.svc_casts(" + column + ")");
    tx.exec0("drop function pg_temp.svc_casts(" + probe.from + ")");
    if (rows.empty()) return;
    findings.error("CANNOT_CAST", probe.path,
                   probe.column + " cannot change from " + probe.from + " to " + probe.to +
                       ": the value does not fit in " + rows + ".",
                   "Change these rows first, or give the field another name.");
}

void ask_values(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, "select id from " + plan::table(probe.table) + " where " +
                                        tx.quote_name(probe.column) + " is not null");
    if (rows.empty()) return;
    findings.error("HOLDS_VALUES", probe.path,
                   probe.column + " becomes computed, but it holds values in " + rows + ".",
                   "Give the computed field another name.");
}

}  // namespace

void ask(pqxx::transaction_base& tx, const std::vector<Probe>& probes, diag::Findings& findings) {
    for (const Probe& probe : probes) {
        switch (probe.kind) {
            case Probe::Kind::needs_default:
                ask_default(tx, probe, findings);
                break;
            case Probe::Kind::has_nulls:
                ask_nulls(tx, probe, findings);
                break;
            case Probe::Kind::casts:
                ask_casts(tx, probe, findings);
                break;
            case Probe::Kind::holds_values:
                ask_values(tx, probe, findings);
                break;
        }
    }
}

}  // namespace svc::migrate
