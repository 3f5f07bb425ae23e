// What a request's head must look like before it is parsed. The parser takes shapes that another
// server or proxy on the way reads differently (request smuggling); these are refused here.
#pragma once

#include <string_view>

namespace svc::http {

// `head` is everything from the request line to the empty line, both included. Empty if it is
// sound; otherwise what is wrong, for the 400 that is answered before the connection is closed.
std::string_view guard(std::string_view head);

}  // namespace svc::http
