// POST /topics/<name>/publish: a message is a row of svc.topic_message, which listeners read.
#pragma once

#include "db/pool.hpp"
#include "feed/counts.hpp"
#include "feed/hub/commit_signal.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// The parts that the handler uses; outlives it.
struct PublishContext {
    const App& app;
    db::Pool& pool;  // the callers' own
    const route::Callers callers;
    CommitSignal& changes;  // notified once a message is committed
    Counts& counts;
};

route::Endpoint publish_route(const PublishContext& in);

}  // namespace svc::feed
