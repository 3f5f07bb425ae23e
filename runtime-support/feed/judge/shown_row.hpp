// One row as a caller may see it.
#pragma once

#include <optional>
#include <string>

#include "db/pool.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// `row`: as JSON, as a change recorded it. What the caller may read of it, as lists print it; empty
// where they may not read the row. Nothing where the database did not answer. All outlive the task.
Task<std::optional<std::string>> shown_row(db::Pool& data, const App& app, const Entity& entity,
                                           const Caller& caller, const std::string& row);

}  // namespace svc::feed
