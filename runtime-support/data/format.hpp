// The format of rows in an answer, by `Accept` (RFC 9110, 12.5.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::data {

enum class Format : std::uint8_t { json, csv, lines };

// The format that the client prefers. JSON if it prefers several equally, and also if it accepts
// none of them: the client still wants an answer.
Format accepted(const http::Head& head);

std::string_view content_type(Format format);

}  // namespace svc::data
