#include "migrate/diff/diff.hpp"

#include <algorithm>
#include <cctype>

#include "base/append.hpp"
#include "base/ascii.hpp"
#include "migrate/diff/table_renames.hpp"

namespace svc::migrate {
namespace {

using base::append;

bool word_char(char c) { return base::is_alphanumeric(c) || c == '_'; }

// Probes and claims are asked before the first step.
void ask_under_present_names(const Schema& schema, Diff& out) {
    for (Probe& probe : out.probes) probe.rows_of = present_name(schema, probe.table);
    for (Claim& claim : out.claims) refer_to_former(claim.sql, schema);
}

// A constraint or an index that is made anew is not renamed before: it was dropped.
void rename_tables(TableRenames& renames, const ObjectChanges& objects, Diff& out) {
    append(out.steps, std::move(renames.drops));
    for (Step& step : renames.steps) {
        const bool made = std::ranges::any_of(objects.makes, [&](const Step& other) {
            return !step.key.second.empty() && other.key == step.key;
        });
        if (!made) out.steps.push_back(std::move(step));
    }
}

// Records under new names, unless what follows records them otherwise.
void record_renames(TableRenames& renames, Diff& out) {
    std::erase_if(renames.made, [&](const MadeObject& one) {
        return std::ranges::find(out.made, one.key, &MadeObject::key) != out.made.end() ||
               std::ranges::find(out.gone, one.key) != out.gone.end();
    });
    append(out.made, std::move(renames.made));
    append(out.gone, std::move(renames.gone));
    append(out.settled, std::move(renames.settled));
}

}  // namespace

bool mentions(const std::string& text, const std::string& word) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        const bool begins = at == 0 || !word_char(text[at - 1]);
        if (begins && (end == text.size() || !word_char(text[end]))) return true;
    }
    return false;
}

// Drops come first: a policy or an index that uses a column would block a change of its type. They
// use the names of before, so tables are renamed after them.
Diff diff(const plan::Plan& plan, const Schema& before, const std::string& data_role,
          std::int64_t large) {
    Diff out;
    auto renames = table_renames(plan, before, objects_of(plan, data_role), out.findings);
    const Schema& schema = renames ? renames->schema : before;
    const RecomputedColumns recomputed = diff_tables(plan, schema, data_role, out);
    std::vector<Step> tables = std::move(out.steps);
    std::vector<MadeObject> made = std::move(out.made);
    out.steps.clear();
    out.made.clear();
    ObjectChanges objects = diff_objects(plan, schema, recomputed, data_role, out);
    append(out.steps, std::move(objects.drops));
    if (renames) rename_tables(*renames, objects, out);
    append(out.steps, std::move(objects.before));
    append(out.steps, std::move(tables));
    append(out.steps, std::move(objects.makes));
    out.made.insert(out.made.begin(), made.begin(), made.end());
    deferred(schema, large, out);
    report_rewrites(schema, large, out);
    ask_under_present_names(schema, out);
    if (renames) record_renames(*renames, out);
    out.called = schema.called;
    return out;
}

}  // namespace svc::migrate
