#pragma once

#include <string>
#include <vector>

#include "calls/context.hpp"
#include "platform/members.hpp"

namespace svc::devapi {

// Of keys that the platform has deleted: svcd takes them no more, and no running server does where
// it returns true. Where false, svcd goes on telling them.
bool forget_keys(Context& context, const std::vector<EndedKey>& keys);

// 503: what was asked is done, but a running server may still take `what` ("The key") for a moment.
void answer_untold(const char* what, Response& response);

}  // namespace svc::devapi
