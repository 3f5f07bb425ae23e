// Reads when a server wants to be asked again. Source: RFC 9110, 10.2.3.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

namespace svc::outgoing {

// The seconds from `now`, from a number of seconds or a date; at most a day. Nothing if it is
// neither.
std::optional<std::int64_t> retry_after(std::string_view value, std::time_t now);

}  // namespace svc::outgoing
