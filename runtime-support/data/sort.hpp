// The order of rows, in a list or of linked rows.
#pragma once

#include <optional>

#include "data/filter/filter.hpp"

namespace svc::data {

struct SortKey {
    const Column* column;
    std::string sql;
    const Ordering* ordering;
    bool descending = false;
    bool own = true;       // of the list's entity, not of a row that it refers to
    bool nullable = true;  // nulls stand last where it ascends, first where it descends
};
// The id is always among them, so no two rows are equal.
using Order = std::vector<SortKey>;

// Reads a list's `sort`; null: by id alone. Errors are 400.
Result<Order> read_order(const filter::FilterScope& scope, const json::Value* sort);

std::string order_by(const Order& order);

}  // namespace svc::data
