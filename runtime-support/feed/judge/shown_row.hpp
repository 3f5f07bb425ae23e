// One row as a caller may see it.
#pragma once

#include <optional>
#include <string>

#include "db/pool.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// Returns what the caller may read of `row`, which is JSON as a change recorded it, in the form of
// lists. Empty if the caller may not read the row. Nothing if the database did not answer. All
// arguments outlive the task.
Task<std::optional<std::string>> shown_row(db::Pool& data, const App& app, const Entity& entity,
                                           const Caller& caller, const std::string& row);

}  // namespace svc::feed
