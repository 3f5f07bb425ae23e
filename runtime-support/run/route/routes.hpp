// The routes of functions, workflows and runs.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "db/pool.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"
#include "run/service.hpp"
#include "svc/app.hpp"

namespace svc::run {

// The parts that the handlers use; outlives them.
struct RunContext {
    const App& app;
    db::Pool& system;  // functions and runs are the server's own statements, as their owner
    const route::Callers callers;
    const Services& services;  // for steps of functions
};

// POST /functions/<name>: for the callers that the function allows.
route::Endpoint function_route(const RunContext& in);
// /runtime/…: for a server key, and for sessions of administrators.
void add_run_routes(const RunContext& in, std::vector<route::Endpoint>& endpoints);

std::vector<route::Endpoint> routes(const RunContext& in);

}  // namespace svc::run
