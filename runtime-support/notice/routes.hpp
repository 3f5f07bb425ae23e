// GET /notifications, PATCH /notifications/<id>, POST /notifications/read-all: what an account was
// told (schema/notices.sql). Everybody has their own, whoever else they are.
#pragma once

#include <vector>

#include "db/pool.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"

namespace svc::notice {

// What the handlers work with; outlives them.
struct Noticing {
    db::Pool& pool;  // the callers' own
    const route::Callers callers;
};

std::vector<route::Endpoint> routes(const Noticing& in);

}  // namespace svc::notice
