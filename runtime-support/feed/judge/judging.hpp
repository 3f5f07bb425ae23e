// Asks PostgreSQL what a table of changes needs to be judged.
#pragma once

#include <optional>
#include <string>

#include "db/pool.hpp"
#include "feed/counts.hpp"
#include "feed/judge/judged_table.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// Returns false if another try may succeed. If a table cannot be judged, all its readers get a
// reset. `until`: as Page::until().
Task<bool> judge_table(db::Pool& data, const App& app, JudgedTable& table, std::string until,
                       Counts& counts);

}  // namespace svc::feed
