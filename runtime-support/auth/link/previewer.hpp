// Detects requests that only preview a link: HEAD, browsers that prefetch, and programs that show a
// link's target. They must not use up a link that works once.
#pragma once

#include "auth/context.hpp"

namespace svc::auth::link {

bool only_looks(const http::Head& head);

// The page for them.
void answer_look(const Call& call);

}  // namespace svc::auth::link
