// The counts of a process, as GET /metrics prints them.
#pragma once

#include <string>
#include <string_view>

#include "ops/shared.hpp"

namespace svc::ops {

// `runs`: what Shared::runs_now gave.
std::string metrics_of(const Shared& shared, std::string_view runs);

}  // namespace svc::ops
