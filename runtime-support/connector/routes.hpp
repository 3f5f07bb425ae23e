// /connector-proxy/…: integrations' actions and servers' tools that callers may use without their
// credentials.
#pragma once

#include <vector>

#include "connector/connector_context.hpp"
#include "route/endpoint.hpp"

namespace svc::connector {

std::vector<route::Endpoint> routes(ConnectorContext& in);

}  // namespace svc::connector
