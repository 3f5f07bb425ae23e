// Addresses that a contract names, and the types of files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::model {

// http or https, a host, maybe a port and a path. No user or password (they would be a secret in
// the contract), no query, no fragment.
bool is_address(std::string_view text);
// An address over https, or over http to this machine itself.
bool is_safe_address(std::string_view text);
// A name of an HTTP header.
bool is_header_name(std::string_view text);

// The types that uploads may have: image/png, image/*.
const std::vector<std::string>& known_mime();
// A type or a type/* that is among those or covered by one of them.
bool is_known_mime(std::string_view pattern);

}  // namespace svc::model
