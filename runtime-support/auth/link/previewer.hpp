// Detects requests that only preview a link: HEAD, browsers that prefetch, and programs that show a
// link's target. They must not use up a link that works once.
#pragma once

#include "http/exchange.hpp"

namespace svc::auth::link {

bool only_looks(const http::Head& head);

// The page for them.
void answer_look(http::Exchange& exchange);

}  // namespace svc::auth::link
