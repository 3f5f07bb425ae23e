#include "migrate/diff/diff.hpp"

#include <cctype>

#include "base/append.hpp"
#include "base/ascii.hpp"

namespace svc::migrate {
namespace {

using base::append;

bool word_char(char c) { return base::is_alphanumeric(c) || c == '_'; }

}  // namespace

bool mentions(const std::string& text, const std::string& word) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        const bool begins = at == 0 || !word_char(text[at - 1]);
        if (begins && (end == text.size() || !word_char(text[end]))) return true;
    }
    return false;
}

// Drops come first: a policy or an index that uses a column would block a change of its type.
Diff diff(const plan::Plan& plan, const Schema& schema, const std::string& data_role,
          std::int64_t large) {
    Diff out;
    const RecomputedColumns recomputed = diff_tables(plan, schema, data_role, out);
    std::vector<Step> tables = std::move(out.steps);
    std::vector<MadeObject> made = std::move(out.made);
    out.steps.clear();
    out.made.clear();
    ObjectChanges objects = diff_objects(plan, schema, recomputed, data_role, out);
    append(out.steps, std::move(objects.drops));
    append(out.steps, std::move(objects.before));
    append(out.steps, std::move(tables));
    append(out.steps, std::move(objects.makes));
    out.made.insert(out.made.begin(), made.begin(), made.end());
    deferred(schema, large, out);
    report_rewrites(schema, large, out);
    return out;
}

}  // namespace svc::migrate
