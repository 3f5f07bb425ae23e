// The forms of /cli-login.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// The first page, with the code of the address filled in.
void show_login_form(Context& context, const Request& request, Response& response);
// Takes the form of a page; its member `action` says which one.
void take_login_form(Context& context, const Request& request, Response& response);

}  // namespace svc::devapi
