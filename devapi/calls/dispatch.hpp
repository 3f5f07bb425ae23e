// One call from credential to answer, in the order that the interface promises: authentication,
// scope or role, existence, body.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "http/route_table.hpp"

namespace svc::devapi {

// Worker threads only. Fills request.caller and request.project, then calls the route's handler;
// answers what is refused, and what fails.
void dispatch(Context& context, const Route& route, Request& request, Response& response) noexcept;

// The call in parts, for routes that wait between them. False: it is answered. After a wait the
// caller is checked again: the credential, the membership or the role may have ended.
bool admit(Context& context, const Route& route, Request& request, Response& response) noexcept;
bool admit_again(Context& context, const Route& route, Request& request,
                 Response& response) noexcept;
void perform(Context& context, const Route& route, Request& request, Response& response) noexcept;

}  // namespace svc::devapi
