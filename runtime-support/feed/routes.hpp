// The routes of topics and row feeds.
#pragma once

#include <vector>

#include "feed/publish.hpp"
#include "feed/subscribe.hpp"

namespace svc::feed {

std::vector<route::Endpoint> routes(const Publishing& publishing, const Subscribing& subscribing);

}  // namespace svc::feed
