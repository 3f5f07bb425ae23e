// Checks the form of a request's head before it is parsed. The parser accepts forms that another
// server or proxy reads differently (request smuggling); they are refused here.
#pragma once

#include <string_view>

namespace svc::http {

// `head` is everything from the request line to the empty line, both included. Returns an empty
// text if it is valid; otherwise the problem, for the 400 that is answered before the connection is
// closed.
std::string_view guard(std::string_view head);

}  // namespace svc::http
