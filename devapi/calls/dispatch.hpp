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

// The same in parts, for what waits between them. False: it is answered. Who waited is asked again:
// the credential, the membership or the role may have ended meanwhile.
bool admit(Context& context, const Route& route, Request& request, Response& response) noexcept;
bool admit_again(Context& context, const Route& route, Request& request,
                 Response& response) noexcept;
void perform(Context& context, const Route& route, Request& request, Response& response) noexcept;

}  // namespace svc::devapi
