// Rows that left with the row above that decides for them (same_as): the database no longer knows
// who could read that one, but its own change on the page does.
#pragma once

#include <deque>

#include "feed/judge/judged_table.hpp"

namespace svc::feed {

// `tables`: all of one page, judged. The page has all changes of its transactions.
void inherit(std::deque<JudgedTable>& tables);

}  // namespace svc::feed
