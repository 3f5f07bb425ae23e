// The body of POST /topics/<name>/publish.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "http/error.hpp"

namespace svc::feed {

inline constexpr std::size_t kMaxPayload = 64 * 1024;  // bytes, as sent

// The payload as one line of JSON; null where the body has none. PARAMS_INVALID for anything but
// an object of that one member, PAYLOAD_TOO_LARGE.
boost::system::result<std::string, Error> read_payload(std::string_view body);

}  // namespace svc::feed
