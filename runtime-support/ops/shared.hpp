// What the services of one process share, an io thread each: limits hold for the process, not for
// each of its threads.
#pragma once

#include <memory>

#include "auth/outside.hpp"
#include "auth/throttles.hpp"
#include "feed/hub.hpp"
#include "identity/budget.hpp"
#include "ops/settings.hpp"

namespace svc::ops {

struct Shared {
    explicit Shared(const Settings& settings)
        : budget(settings.rate_browser, settings.rate_server),
          throttles(settings),
          outside(settings.allow_private) {}

    identity::Budget budget;
    auth::Throttles throttles;
    auth::Outside outside;
    feed::Bell bell;
    // What still listens as the process ends holds it.
    const std::shared_ptr<feed::Hub> hub = std::make_shared<feed::Hub>(bell);
};

// The same object for every service that is made from this very Settings object, as long as one of
// them lives.
std::shared_ptr<Shared> shared_by(const Settings& settings);

}  // namespace svc::ops
