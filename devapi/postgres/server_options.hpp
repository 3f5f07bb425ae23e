// The options of the private PostgreSQL, except its paths.
#pragma once

#include <string>
#include <vector>

namespace svc::devapi {

// Options of postgres: --name=value.
std::vector<std::string> server_options();
// An option of prlimit: memory of its own that each process may have, beside what all share.
std::string data_limit();

}  // namespace svc::devapi
