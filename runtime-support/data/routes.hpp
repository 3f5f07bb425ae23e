// The data routes of an app: rows of its entities, named queries, search, SQL of its servers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/file_links.hpp"
#include "db/pool.hpp"
#include "identity/secret/signer.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"
#include "svc/app.hpp"

namespace svc::data {

// The present position in the order of changes, as an id from which a feed resumes. Empty if the
// database did not answer.
using PlaceNow = std::function<Task<std::string>(const Caller& caller)>;

// The services that the handlers share. Outlives them.
struct Services {
    const App& app;
    db::Pool& pool;  // runs callers' statements, under row-level security
    const route::Callers callers;
    const identity::Signer& cursors;
    const PlaceNow place_now = {};
    const FileLinks* const files = nullptr;  // null: the server has no files
};

// The route that adds tables. svcd answers it, because no role of an app server may add tables.
inline constexpr std::string_view kMigratePath = "/data/migrate";

std::vector<route::Endpoint> routes(const Services& in);

}  // namespace svc::data
