// Sockets of this machine, at a path.
#pragma once

#include <string>

namespace svc::http {

// Listens at `path` (an existing socket is replaced, mode 0600). Returns the descriptor, which does
// not block. `type`: SOCK_STREAM or SOCK_SEQPACKET. Throws std::system_error that names the path.
int listen_at(const std::string& path, int type);
int connect_to(const std::string& path, int type);

}  // namespace svc::http
