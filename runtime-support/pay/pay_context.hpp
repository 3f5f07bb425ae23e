// The services that the routes of payments and the poller use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/pool.hpp"
#include "outgoing/calls.hpp"
#include "pay/counts.hpp"
#include "route/as_caller.hpp"

namespace svc::pay {

// The origins of the app's pages, to which a customer may return.
struct Home {
    std::string origin;              // empty: it is not known
    std::vector<std::string> hosts;  // that are this app's alone; empty: every host is
    std::string project;
};

// Outlives the handlers.
struct PayContext {
    db::Pool& data;  // the callers' own
    db::Pool& system;
    const route::Callers callers;
    outgoing::Calls& calls;
    Counts& counts;
    const std::string secret;                    // Settings::secret
    const outgoing::AllowedHosts allow_private;  // Settings::allow_private
    const Home home;
    const bool outside;  // Settings::outside; false: no provider is called
};

// True if `url` is a page of the app. `asked`: the host that the request was for.
bool is_page_of(const Home& home, std::string_view asked, std::string_view url);

}  // namespace svc::pay
