// The OpenAPI 3.1 document of an app: every table with its operations, its schemas, who may do
// what. It holds no data, and is the same for every caller.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

// The document as text for readers, which is served unchanged.
std::string openapi(const plan::Plan& plan);

// openapi.cpp: takes the same text into the server.
std::string openapi_source(const plan::Plan& plan, const std::string& document);

}  // namespace svc::emit
