// Finds where an address of PostgreSQL leads. Looks names up, which may block.
#pragma once

#include <optional>
#include <string>

namespace svc::devapi {

// libpq takes a host that begins with / or @ for a unix socket.
bool is_socket(const std::string& host);

// True for two spellings of one host. Ignores upper and lower case, and links and dots in a
// socket's folder. Looks no name up.
bool same_host(const std::string& one, const std::string& other);

// An address of the host, where every one of its addresses is public. None otherwise.
std::optional<std::string> public_address(const std::string& host);

// Whether host and port are those of the server that the connection string `server_url` names. An
// empty port is 5432.
bool leads_to(const std::string& host, const std::string& port, const std::string& server_url);

}  // namespace svc::devapi
