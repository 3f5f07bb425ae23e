#include "connector/pins.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace svc::connector {
namespace {

// A server starts before the migration that it needs has committed.
constexpr std::chrono::seconds kAfterStart{3};

Task<> list_pinned(ConnectorContext& in) {
    for (const Server& server : in.connectors.servers) {
        if (!server.pinned) continue;
        const auto credentials =
            co_await find_credentials(in.call_context, server.auth, server.url);
        if (credentials && credentials->connected) co_await in.tools.list(server, *credentials);
    }
}

}  // namespace

Task<> keep_pins(asio::io_context& io, ConnectorContext& in, std::chrono::milliseconds pause) {
    if (std::ranges::none_of(in.connectors.servers, &Server::pinned)) co_return;
    std::chrono::milliseconds wait = kAfterStart;
    for (;;) {
        asio::steady_timer timer(io, wait);
        co_await timer.async_wait(asio::use_awaitable);
        co_await list_pinned(in);
        wait = pause;
    }
}

}  // namespace svc::connector
