// The SQL of each operator of a filter clause.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/words.hpp"
#include "data/filter/filter.hpp"

namespace svc::data::filter {

enum class Op : std::uint8_t {
    eq,
    neq,
    in,
    not_in,
    lt,
    lte,
    gt,
    gte,
    between,
    range,
    contains,
    not_contains,
    starts_with,
    ends_with,
    is_null,
    is_not_null,
    today,
    yesterday,
    this_week,
    this_month,
    this_year,
    last_n_days,
    next_n_days
};

struct Clause {
    const Column& column;
    Op op;
    const json::Value* value;  // null if the clause has none
    std::string_view timezone;
    QueryText& query;
    std::string_view sql = {};  // of the column; empty: its name
    const Ordering& ordering = kOwnOrdering;

    // The left side of the comparison.
    std::string subject() const {
        return sql.empty() ? quoted_name(column.name) : std::string(sql);
    }
};

// Refuses with PARAMS_INVALID if there is no operator with this name.
Result<Op> operator_named(std::string_view name);

// Refuses with PARAMS_INVALID if the operator does not work on the column's type, or if its value
// does not fit.
Result<std::string> clause_condition(const Clause& clause);

// The SQL of each operator, for a column that it works on. Errors are PARAMS_INVALID, or those of
// column_value().
Result<std::string> equal(const Clause& clause);  // to null: is null
Result<std::string> not_equal(const Clause& clause);
Result<std::string> member(const Clause& clause);
Result<std::string> not_member(const Clause& clause);
Result<std::string> null_test(const Clause& clause);
Result<std::string> not_null(const Clause& clause);
Result<std::string> less(const Clause& clause);
Result<std::string> less_or_equal(const Clause& clause);
Result<std::string> greater(const Clause& clause);
Result<std::string> greater_or_equal(const Clause& clause);
Result<std::string> between(const Clause& clause);
Result<std::string> range(const Clause& clause);
Result<std::string> contains(const Clause& clause);  // a part of a text, one of the tags
Result<std::string> not_contains(const Clause& clause);
Result<std::string> starts_with(const Clause& clause);
Result<std::string> ends_with(const Clause& clause);
Result<std::string> this_period(const Clause& clause);  // today, this_week, …
Result<std::string> n_days(const Clause& clause);       // last_n_days, next_n_days

// The opposite of a condition that may be null for a null column: those rows are kept.
Result<std::string> opposite(const Result<std::string>& condition);

Error misfit(const Clause& clause, std::string_view takes);
// True if the clause has a value of this kind.
bool given(const Clause& clause, json::Value::Kind kind);

}  // namespace svc::data::filter

// As requests name them; errors list them in this order.
template <>
struct svc::base::Words<svc::data::filter::Op> {
    static constexpr std::array<std::string_view, 23> kAll = {
        "eq",          "neq",        "in",        "not_in",      "lt",         "lte",
        "gt",          "gte",        "between",   "range",       "contains",   "not_contains",
        "starts_with", "ends_with",  "is_null",   "is_not_null", "today",      "yesterday",
        "this_week",   "this_month", "this_year", "last_n_days", "next_n_days"};
};
