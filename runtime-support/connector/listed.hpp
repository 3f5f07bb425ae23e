// Lists of the actions and tools that the caller may use.
#pragma once

#include "connector/connector_context.hpp"
#include "route/endpoint.hpp"

namespace svc::connector {

// GET /connector-proxy/available: the integrations whose secrets are set.
Task<route::Done> list_integrations(ConnectorContext& in, route::Request& request);
// GET /connector-proxy/mcp/available: the tools of the servers that answer. A server of which this
// caller may call nothing is not asked.
Task<route::Done> list_tools(ConnectorContext& in, route::Request& request);

}  // namespace svc::connector
