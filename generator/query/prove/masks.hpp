// Lists of "read" and "write" against what a query does: it runs as its caller, whom the routes
// hold to these lists.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.hpp"
#include "query/read/read.hpp"
#include "query/report.hpp"
#include "query/scratch/scratch_connection.hpp"

namespace svc::query {

// Some who may run the query are in none of `mask`.
bool is_kept_from_some(const plan::Plan& plan, const plan::Query& query, std::uint64_t mask);

// Reports every column that is read for callers who may not see it (a warning: the author may
// intend it), and every column that is written for callers who may not send it. `shown`: the
// columns that the result has unchanged: table and number.
void check_masks(const plan::Plan& plan, const Read& read,
                 const std::vector<ColumnAccess>& accesses,
                 const std::set<std::pair<std::string, int>>& shown, Report& report);

}  // namespace svc::query
