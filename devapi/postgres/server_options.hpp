// What the private PostgreSQL is started with, apart from where it is.
#pragma once

#include <string>
#include <vector>

namespace svc::devapi {

// Options of postgres: --name=value.
std::vector<std::string> server_options();
// An option of prlimit: memory of its own that each process may have, beside what all share.
std::string data_limit();

}  // namespace svc::devapi
