// What each operator of a filter clause means in SQL.
#pragma once

#include "data/filter.hpp"

namespace svc::data {

struct Clause {
    const Column& column;
    std::string_view op;
    const json::Value* value;  // null where the clause has none
    std::string_view timezone;
    QueryText& query;
};

// PARAMS_INVALID where the operator is unknown or its value does not fit it.
Result<std::string> clause_condition(const Clause& clause);

// Equality as `where` knows it: null means "is null".
Result<std::string> equal(const Clause& clause);

// today, last_n_days, range, …; nullptr where `op` is none of them.
using Operator = Result<std::string> (*)(const Clause&);
Operator period_operator(std::string_view op);

// "price" greater than …: the clause's value bound as the column's type.
Result<std::string> compared(const Clause& clause, std::string_view sql_operator,
                             const json::Value& value);
Error misfit(const Clause& clause, std::string_view takes);

}  // namespace svc::data
