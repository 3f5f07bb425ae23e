#include "auth/throttles.hpp"

namespace svc::auth {

identity::Result<void> take(identity::Throttle& throttle, std::string_view key,
                            std::string_view message) {
    const unsigned wait = throttle.take(std::string(key));
    if (wait == 0) return {};
    auto full = identity::refusal(Code::rate_limited, std::string(message));
    full.retry_after = wait;
    return full;
}

}  // namespace svc::auth
