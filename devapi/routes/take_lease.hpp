// The right of a call to change its project's app.
#pragma once

#include <memory>

#include "apps/lease/lease.hpp"
#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// The lease of the request's project; null: answered 409 PROJECT_BUSY. Blocks, as Apps::take does.
std::unique_ptr<Lease> take_lease(Context& context, const Request& request, const Purpose& purpose,
                                  Response& response);

}  // namespace svc::devapi
