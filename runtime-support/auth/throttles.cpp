#include "auth/throttles.hpp"

#include "http/request/proxy.hpp"

namespace svc::auth {

identity::Result<void> take(identity::Throttle& throttle, std::string_view key,
                            std::string_view message) {
    const unsigned wait = throttle.take(std::string(key));
    if (wait == 0) return {};
    auto full = identity::refusal(Code::rate_limited, std::string(message));
    full.retry_after = wait;
    return full;
}

identity::Result<void> take_from(identity::Throttle& throttle, const http::Exchange& exchange,
                                 std::string_view message) {
    return take(throttle, http::counted_network(exchange.remote()), message);
}

identity::Result<void> take_step(identity::Throttle& throttle, const http::Exchange& exchange) {
    return take_from(throttle, exchange, "Too many sign-ins from this address. Try again later.");
}

}  // namespace svc::auth
