// The few pages that the runtime has of its own: plain forms, without a script.
#pragma once

#include <string_view>

#include "http/exchange.hpp"

namespace svc::auth {

// `title` is text; `body` is HTML, with what it holds of others escaped (http::escape_html).
void answer_page(http::Exchange& exchange, std::string_view title, std::string_view body);

}  // namespace svc::auth
