// POST /ai/chat and POST /ai/embed.
#pragma once

#include <vector>

#include "ai/model_calls.hpp"
#include "route/endpoint.hpp"

namespace svc::ai {

std::vector<route::Endpoint> routes(const AiContext& in);

}  // namespace svc::ai
