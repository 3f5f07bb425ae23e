// The page that an invitation's link opens. Older links name /setup instead of /join.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// Shows the page of the link; changes nothing.
void show_invitation(Context& context, const Request& request, Response& response);
// Takes {token, password, anew?}, as a form or as JSON.
void take_invitation(Context& context, const Request& request, Response& response);

// `token` of a form or of JSON; empty if there is none.
std::string link_token(const Request& request);

}  // namespace svc::devapi
