// The rows of the route table for streams, for code that routes to streams without answering them.
#pragma once

#include <vector>

#include "route/endpoint.hpp"

namespace svc::feed {

// GET /topics/<name>/subscribe and GET /topics/subscribe, in this order and without handlers.
std::vector<route::Endpoint> subscribe_rows();

}  // namespace svc::feed
