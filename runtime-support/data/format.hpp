// In which form rows leave, as `Accept` asks for it (RFC 9110, 12.5.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::data {

enum class Format : std::uint8_t { json, csv, lines };

// The one that the client likes best: JSON where it likes several as much, and where it accepts
// none of them (whoever names nothing that we have, still wants an answer).
Format accepted(const http::Head& head);

std::string_view content_type(Format format);

}  // namespace svc::data
