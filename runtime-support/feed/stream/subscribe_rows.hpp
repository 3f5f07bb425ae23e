// What the table of routes says of the streams, for who routes to them without answering them.
#pragma once

#include <vector>

#include "route/endpoint.hpp"

namespace svc::feed {

// GET /topics/<name>/subscribe and GET /topics/subscribe, in this order and without handlers.
std::vector<route::Endpoint> subscribe_rows();

}  // namespace svc::feed
