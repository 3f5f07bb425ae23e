// Tells running servers which keys have ended.
#pragma once

#include <string>
#include <vector>

#include "calls/context.hpp"
#include "platform/workspace/members.hpp"

namespace svc::devapi {

// `keys`: keys that the platform has deleted. svcd refuses them at once. True: every running server
// refuses them too. False: svcd keeps sending the change.
bool forget_keys(Context& context, const std::vector<EndedKey>& keys);

// 503: the request is done, but a running server may still accept `what` ("The key") for a moment.
void answer_unsent(const char* what, Response& response);

}  // namespace svc::devapi
