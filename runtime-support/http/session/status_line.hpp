// Status lines.
#pragma once

#include <string>

namespace svc::http {

// Appends "HTTP/1.1 200 OK" and CR LF. A status without a known reason gets an empty one.
void append_status_line(std::string& out, int status);

}  // namespace svc::http
