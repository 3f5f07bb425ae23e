// SQL of a server's own: POST /data/query, /data/exec, /data/schema. It runs as the caller whom the
// server key asserts: the rows that policies show them, the columns that they may read.
#pragma once

#include <string_view>

#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::data::sql {

// Answers what is below /data/: query, exec, schema. The caller has no session that could end.
Task<> run_raw(std::string_view what, http::Exchange& exchange, const Caller& caller,
               const App& app, db::Pool& pool);

}  // namespace svc::data::sql
