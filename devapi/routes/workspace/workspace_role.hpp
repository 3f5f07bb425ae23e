// The role of the caller in the workspace of the path.
#pragma once

#include <optional>

#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// The caller's role in the workspace of the path; none: answered 404, or 403 if it is below
// `least`.
std::optional<Role> role_here(Context& context, const Request& request, Role least,
                              Response& response);

}  // namespace svc::devapi
