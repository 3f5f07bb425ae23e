// The operators of an app: its own servers by their key, administrators by their session.
#pragma once

#include "route/as_caller.hpp"
#include "route/endpoint.hpp"

namespace svc::run {

// "Admin required" for anybody else. A server that asserts a user acts as that user.
Task<identity::Result<Caller>> operator_of(const route::Callers& callers,
                                           const route::Request& request);

}  // namespace svc::run
