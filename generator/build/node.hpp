// Programs that run under Node.js, beside ours.
#pragma once

#include <string>

namespace svc::build {

// Path of `node`, found by PATH; empty if there is none.
std::string find_node();
// The folder with the built web/: `web` beside this program (cmake/web.cmake).
std::string web_folder();

}  // namespace svc::build
