// GET /topics/<name>/subscribe and GET /topics/subscribe?topic=a&topic=b: a stream of server-sent
// events.
#pragma once

#include "feed/stream/stream_set.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// The parts that the handlers use; outlives them.
struct SubscribeContext {
    const App& app;
    const route::Callers callers;
    const CursorSealer& cursors;
    const std::shared_ptr<Hubs> hubs;
    const StreamSets stream_sets;
    const std::size_t most_streams;  // of a key
};

void add_subscribe_routes(const SubscribeContext& in, std::vector<route::Endpoint>& endpoints);

}  // namespace svc::feed
