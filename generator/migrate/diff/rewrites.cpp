// Finds changes that rewrite a large table under its lock.
#include "migrate/diff/diff.hpp"

namespace svc::migrate {

// PostgreSQL keeps the stored values where only what they were held to falls away.
bool rewrites(const std::string& from, const std::string& to) {
    const bool longer = from.starts_with("character varying") && to == "text";
    const bool wider = from.starts_with("numeric(") && to == "numeric";
    return !longer && !wider;
}

void report_rewrites(const Schema& schema, std::int64_t large, Diff& diff) {
    for (Step& step : diff.steps) {
        const auto table = schema.tables.find(step.change.table);
        if (!step.rewrites || table == schema.tables.end() || table->second.rows <= large) continue;
        step.change.rewrites = table->second.rows;
        const bool type = step.change.kind == ChangeKind::alter_type;
        diff.findings.warning("TABLE_REWRITTEN", step.path,
                              std::string(type ? "The new type of " : "The new field ") +
                                  step.change.table + "." + step.change.column +
                                  " rewrites the table with about " +
                                  std::to_string(table->second.rows) +
                                  " rows. Until this is done, nobody can read or write the table.",
                              "apply when few people use the app, or add an ordinary field and set "
                              "its values in batches");
    }
}

}  // namespace svc::migrate
