// The dev database is what its contract makes of one: nothing was changed by hand.
#include <algorithm>
#include <string_view>

#include "apps/database/connections.hpp"
#include "migrate/migrate.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {
namespace {

std::string spoken(migrate::ChangeKind kind) {
    std::string out(base::word(kind));
    std::ranges::replace(out, '_', ' ');
    return out;
}

// Columns say more than what hangs on them, and what is made more than what goes before.
int place(migrate::ChangeKind kind) {
    const std::string_view of = base::word(kind);
    for (const char* more : {"column", "table", "type"})
        if (of.find(more) != std::string_view::npos) return 0;
    return of.starts_with("drop") ? 2 : 1;
}

std::string first_line(const std::string& sql) { return sql.substr(0, sql.find('\n')); }

}  // namespace

// Finds what an apply of the same contract would change; changes nothing.
void check_schema(Subject& subject, VerifyCheck& out) {
    const AppDatabase& dev = subject.clone.source();
    migrate::Target target{dev.admin_url, dev.owner_role, dev.data_role, dev.system_role};
    target.connections = connections_of(subject.plan, subject.services.config,
                                        subject.services.secrets, subject.project.id, Env::dev);
    migrate::Result result = migrate::preview(subject.plan, target);
    hide_addresses(result.findings);
    std::vector<migrate::Change> changes = result.changes;
    std::ranges::stable_sort(changes, {}, [](const auto& change) { return place(change.kind); });
    for (const auto& change : changes)
        out.bad("The database no longer matches its contract: " +
                (change.table.empty() ? std::string() : "at " + change.table + ": ") +
                "an apply would " + spoken(change.kind) + " (" + first_line(change.sql) + ").");
    for (const auto& finding : result.findings.all()) {
        if (finding.severity == diag::Severity::error)
            out.bad("An apply of the same contract would be refused: " + finding.message);
        else
            out.warnings.push_back(finding.message);
    }
    for (const auto& left : result.leftovers)
        out.warnings.push_back("Not in the contract: " + std::string(base::word(left.kind)) + " " +
                               (left.name.empty() ? left.table : left.table + "." + left.name) +
                               ".");
    std::size_t objects = subject.plan.routines.size();
    for (const auto& table : subject.plan.tables)
        objects += 1 + table.columns.size() + table.constraints.size() + table.indexes.size();
    out.cases = std::max(objects, out.failures);  // one object may take several steps
    out.said = std::to_string(subject.plan.tables.size()) +
               " tables with their columns, constraints, indexes, policies, triggers, functions "
               "and rights, compared as PostgreSQL prints them.";
}

}  // namespace svc::devapi::verification
