// Who only looks at a link: HEAD, browsers that fetch ahead, and programs that show what a link
// leads to. None of them may use up what works once.
#pragma once

#include "http/exchange.hpp"

namespace svc::auth::link {

bool only_looks(const http::Head& head);

// The page for them.
void answer_look(http::Exchange& exchange);

}  // namespace svc::auth::link
