// Runs and dead letters, as operators read them.
#pragma once

#include "http/request/params.hpp"
#include "run/route/routes.hpp"

namespace svc::run {

// Answers {run}, with the last attempt of each of its steps. 404 if there is no such run.
Task<route::Done> read_run(const RunContext& in, route::Request& request, const Caller& caller);
// {runs, nextCursor}: the newest first, without their steps.
Task<route::Done> list_runs(const RunContext& in, route::Request& request, const Caller& caller);
http::ParamNames list_params();
// {deadLetters, nextCursor}
Task<route::Done> list_dead_letters(const RunContext& in, route::Request& request,
                                    const Caller& caller);
http::ParamNames letter_params();

identity::Refusal no_run();

}  // namespace svc::run
