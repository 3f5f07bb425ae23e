// GET /notifications, PATCH /notifications/<id>, POST /notifications/read-all: the notifications of
// an account (schema/notices.sql). Every caller gets only their own notifications, administrators
// too.
#pragma once

#include <vector>

#include "db/pool.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"

namespace svc::notice {

// The services that the handlers use. Outlives them.
struct NotificationContext {
    db::Pool& pool;  // the callers' own
    const route::Callers callers;
};

std::vector<route::Endpoint> routes(const NotificationContext& in);

}  // namespace svc::notice
