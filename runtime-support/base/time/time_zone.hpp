// Time zones by their IANA names, as a request's `tz` or the app names them.
#pragma once

#include <string_view>

namespace svc::base {

bool is_time_zone(std::string_view name);

}  // namespace svc::base
