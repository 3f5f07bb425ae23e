// Turns a clause's value into SQL that a column is compared with. The column stands alone on its
// side of each comparison, so that an index can serve it.
#pragma once

#include "data/filter/operators.hpp"

namespace svc::data::filter {

// SQL; the value bound as the column's type. A day on a column of moments is all of its moments in
// the clause's timezone: it has two ends, the second excluded.
struct Bounds {
    std::string begin;
    std::string end;  // empty: a single value
};
Result<Bounds> bounds(const Clause& clause, const json::Value& value);

// SQL conditions on the clause's column.
std::string same(const Clause& clause, const Bounds& value);
std::string below(const Clause& clause, const Bounds& value);
std::string above(const Clause& clause, const Bounds& value);
std::string at_most(const Clause& clause, const Bounds& value);
std::string at_least(const Clause& clause, const Bounds& value);

}  // namespace svc::data::filter
