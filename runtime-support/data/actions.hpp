// The data routes of entities: list, aggregate, get, create, update, remove,
// transition, restore, history. One call
// runs one pipelined exchange on the data pool: the caller's identity, then the statement.
#pragma once

#include <string_view>

#include "data/file_links.hpp"
#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "http/request/params.hpp"
#include "identity/caller.hpp"
#include "identity/secret/signer.hpp"
#include "route/handled.hpp"
#include "svc/app.hpp"

namespace svc::data {

// The query parameters that `route` takes.
http::ParamNames params_of(const Route& route);

// Answers `exchange` for `route`; `id` is the percent-decoded segment where the path has one;
// `signer` signs the cursors of lists; `files` gives the addresses of files that rows hold, null if
// the request did not ask for them. If the caller's session has ended in the meantime (SV401), the
// reply is not changed: the cached identity is out of date, so identify the caller again and repeat
// once.
Task<route::Handled> perform(const Route& route, std::string_view id, http::Exchange& exchange,
                             const Caller& caller, const App& app, db::Pool& pool,
                             const identity::Signer& signer, const FileLinks* files = nullptr);

}  // namespace svc::data
