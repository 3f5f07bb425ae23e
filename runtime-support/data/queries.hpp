// Lists the named queries, and runs one as the caller.
#pragma once

#include <string_view>

#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "identity/caller.hpp"
#include "route/handled.hpp"
#include "svc/app.hpp"

namespace svc::data {

// {"ok":true,"queries":[…]}: those that the caller may run; all for a server without a user.
void list_queries(http::Exchange& exchange, const Caller& caller, const App& app);

// Answers the query of this name, percent-decoded, folders and all, with the envelope; at most
// 10,000 rows. Answers nothing if the caller's session has ended.
Task<route::Handled> run_query(std::string_view name, http::Exchange& exchange,
                               const Caller& caller, const App& app, db::Pool& pool);

}  // namespace svc::data
