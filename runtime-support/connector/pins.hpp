// Records the tools of tool servers at an apply, so that later changes are noticed.
#pragma once

#include <chrono>

#include "connector/connector_context.hpp"

namespace svc::connector {

// Lists them soon after the start and every `pause`, until `io` goes. So the first listing after an
// apply, which pins them, waits for no caller. Any number of servers may do it at the same time.
Task<> keep_pins(asio::io_context& io, ConnectorContext& in, std::chrono::milliseconds pause);

}  // namespace svc::connector
