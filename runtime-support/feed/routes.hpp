// The routes of topics and row feeds.
#pragma once

#include <vector>

#include "feed/stream/subscribe.hpp"
#include "feed/topic/publish.hpp"

namespace svc::feed {

std::vector<route::Endpoint> routes(const PublishContext& publishing,
                                    const SubscribeContext& subscribing);

}  // namespace svc::feed
