// Turns a call of a tool into a request of the developer API, which is dispatched like any other.
#pragma once

#include <string>

#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "mcp/operations.hpp"

namespace svc::devapi {

// The tools whose routes exist, in the form of tools/list: a JSON array.
std::string tools_text(const Context& context);

// None if no such tool is offered.
const Operation* find_operation(const Context& context, std::string_view name);

// `arguments`: JSON object as it was sent. A project that it does not name is `usual_project`.
Response call_operation(Context& context, const Request& from, const Operation& operation,
                        const std::string& arguments, const std::string& usual_project);

}  // namespace svc::devapi
