#include <algorithm>

#include "data/sql/guard.hpp"
#include "sql/allowed.hpp"

namespace svc::data::sql {

namespace {

// Keywords, forms of the grammar and types that a parenthesis may follow. Sorted.
constexpr std::string_view kWords[] = {
    "all",       "and",     "any",       "array",       "as",        "between",      "by",
    "case",      "cast",    "char",      "coalesce",    "cube",      "decimal",      "distinct",
    "else",      "except",  "exists",    "filter",      "from",      "greatest",     "group",
    "grouping",  "having",  "ilike",     "in",          "intersect", "interval",     "is",
    "join",      "lateral", "least",     "like",        "limit",     "materialized", "not",
    "nullif",    "numeric", "offset",    "on",          "or",        "over",         "partition",
    "returning", "rollup",  "row",       "select",      "set",       "sets",         "some",
    "then",      "time",    "timestamp", "timestamptz", "trim",      "union",        "using",
    "values",    "varchar", "when",      "where",       "within"};

static_assert(std::ranges::is_sorted(kWords));

}  // namespace

bool may_open(std::string_view word) {
    return std::ranges::binary_search(kWords, word) || svc::sql::is_bounded(word);
}

}  // namespace svc::data::sql
