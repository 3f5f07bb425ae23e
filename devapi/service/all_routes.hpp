// Every route of svcd.
#pragma once

#include <string>

#include "http/route_table.hpp"

namespace svc::devapi {

// Whole paths, and those below the base of the developer API.
void bind_routes(RouteTable& pages, RouteTable& api);
// The latter, and the operations that tools are made from, as JSON text: for tests.
std::string routes_text();

}  // namespace svc::devapi
