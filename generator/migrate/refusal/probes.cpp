#include <algorithm>

#include "migrate/refusal/refusal.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

std::string ids(const Probe& probe) { return "select id from " + plan::table(probe.rows_of); }

std::string filled(const Probe& probe) {
    return ids(probe) + " where " + plan::ident(probe.column) + " is not null";
}

void ask_default(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, ids(probe));
    if (rows.empty()) return;
    findings.error("REQUIRED_NEEDS_DEFAULT", probe.path,
                   probe.table + " has rows, and they have no value for the new required field " +
                       probe.column + ": " + rows + ".",
                   "Give the field a default, or remove \"required\".");
}

void ask_nulls(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows =
        name_rows(tx, ids(probe) + " where " + plan::ident(probe.column) + " is null");
    if (rows.empty()) return;
    findings.error("HAS_NULLS", probe.path,
                   probe.column + " becomes required, but it is null in " + rows + ".",
                   "Set a value in these rows first, or remove \"required\".");
}

// All at once first; value by value only if that fails, since an error ends the whole query.
bool all_keep(pqxx::dbtransaction& tx, const Probe& probe) {
    try {
        pqxx::subtransaction sub(tx);
        const auto lost =
            sub.exec(filled(probe) + " and (" + probe.cast.keeps + ") is not true limit 1");
        sub.commit();
        return lost.empty();
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        if (says_nothing_of_rows(read_error(error))) throw;
        return false;
    }
}

// Makes a function that says for each value whether the cast of the migration would lose something.
std::string rows_that_lose(pqxx::transaction_base& tx, const Probe& probe) {
    const std::string column = plan::ident(probe.column);
    const std::string body = "declare " + column + " " + probe.from + " := $1; begin return " +
                             "coalesce(" + probe.cast.keeps +
                             ", false); exception when others then return false; end";
    tx.exec0("create or replace function pg_temp.svc_keeps(" + probe.from +
             ") returns boolean language plpgsql as " + plan::dollar_quoted(body));
    auto rows = name_rows(tx, filled(probe) + " and not pg_temp.svc_keeps(" + column + ")");
    tx.exec0("drop function pg_temp.svc_keeps(" + probe.from + ")");
    return rows;
}

void ask_casts(pqxx::dbtransaction& tx, const Probe& probe, diag::Findings& findings) {
    tx.exec0(cast_helpers());
    if (all_keep(tx, probe)) return;
    const auto rows = rows_that_lose(tx, probe);
    if (rows.empty()) return;
    findings.error("CANNOT_CAST", probe.path,
                   probe.column + " cannot change from " + probe.from + " to " + probe.to +
                       ": the value does not fit in " + rows + ".",
                   "Change these rows first, or give the field another name.");
}

void ask_no_cast(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, filled(probe));
    if (rows.empty()) return;
    findings.error(
        "CANNOT_CAST", probe.path,
        probe.column + " cannot change from " + probe.from + " to " + probe.to +
            ": values cannot be converted between these types, and there are values in " + rows +
            ".",
        "Give the field another name: the old column keeps its values.");
}

void ask_meaning(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, filled(probe));
    if (rows.empty()) return;
    findings.error(
        "CANNOT_CAST", probe.path,
        probe.column + " cannot change from " + probe.from + " to " + probe.to +
            ": money counts hundredths, so the amount would change in " + rows + ".",
        "Give the field another name, and copy the values multiplied or divided by 100.");
}

void ask_values(pqxx::transaction_base& tx, const Probe& probe, diag::Findings& findings) {
    const auto rows = name_rows(tx, filled(probe));
    if (rows.empty()) return;
    findings.error("HOLDS_VALUES", probe.path,
                   probe.column + " becomes computed, but it holds values in " + rows + ".",
                   "Give the computed field another name.");
}

void ask_one(pqxx::dbtransaction& tx, const Probe& probe, diag::Findings& findings) {
    switch (probe.kind) {
        case Probe::Kind::needs_default:
            return ask_default(tx, probe, findings);
        case Probe::Kind::has_nulls:
            return ask_nulls(tx, probe, findings);
        case Probe::Kind::casts:
            return ask_casts(tx, probe, findings);
        case Probe::Kind::no_cast:
            return ask_no_cast(tx, probe, findings);
        case Probe::Kind::means_other:
            return ask_meaning(tx, probe, findings);
        case Probe::Kind::holds_values:
            return ask_values(tx, probe, findings);
    }
}

// True if a claim uses a column that cannot be converted, or one that is computed from it.
bool speaks_of(const Claim& claim, const Shape& shape, const std::set<std::string>& uncast) {
    return std::any_of(uncast.begin(), uncast.end(), [&](const std::string& column) {
        const auto from_it = [&](const auto& computed) {
            return mentions(computed.second, column) && mentions(claim.sql, computed.first);
        };
        return mentions(claim.sql, column) ||
               std::any_of(shape.computed.begin(), shape.computed.end(), from_it);
    });
}

}  // namespace

// A column whose values do not cast is not asked about limits: they are about the new values.
void ask(pqxx::dbtransaction& tx, const Diff& diff, diag::Findings& findings) {
    std::set<std::string> refused;
    std::map<std::string, std::set<std::string>>
        uncast;  // by table; as they are going to be called
    for (const Probe& probe : diff.probes) {
        const auto before = findings.all().size();
        // One finding per column, also if both its type and its meaning change.
        const bool reported = refused.contains(probe.table + "." + probe.column);
        if (!reported) ask_one(tx, probe, findings);
        if (!reported && findings.all().size() == before) continue;
        refused.insert(probe.table + "." + probe.column);
        if (!probe.becomes.empty()) uncast[probe.table].insert(probe.becomes);
    }
    for (const Claim& claim : diff.claims) {
        const auto shape = diff.shapes.find(claim.table);
        if (shape == diff.shapes.end() || speaks_of(claim, shape->second, uncast[claim.table]))
            continue;
        const std::string rows = rows_in_the_way(tx, claim, shape->second);
        if (!rows.empty()) refuse_rows(claim, rows, findings);
    }
}

}  // namespace svc::migrate
