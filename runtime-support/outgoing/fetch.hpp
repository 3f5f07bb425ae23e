// Calls to other services: HTTP over TLS, bounded in time and size, and never to addresses of
// private networks unless the operator allows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::outgoing {

// Private addresses (loopback, link-local, RFC 1918, unique local, …) are refused after the name
// was resolved, unless their host is in this list; "*": any.
using AllowedHosts = std::vector<std::string>;

struct Fetch {
    std::string method = "GET";
    std::string url;                   // https; http to loopback alone, unless `plain`
    std::vector<std::string> headers;  // "Name: value"
    std::string body;
    std::string user, password;  // Basic, where a user is given
    AllowedHosts allowed;
    bool plain = false;     // http to anywhere: where the operator's own setting says so
    unsigned seconds = 10;  // for the whole call; 0: no limit, for readers of streams
    std::size_t most_bytes = std::size_t{1} << 20;  // of the answer's body
};

struct Fetched {
    int status = 0;     // 0: there was no answer
    std::string body;   // Fetch::most_bytes at most
    std::string error;  // where there was none: why, without credentials
    // If there was no answer: true if another try would fail in the same way, because the address
    // is refused or the answer is too long.
    bool for_good = false;
    bool reached = false;  // at least a part of the request was sent
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    // The first header with this name, or empty.
    std::string_view header(std::string_view name) const;
    bool ok() const { return status >= 200 && status < 300; }
};

// Blocks for as long as the request may take. Follows no redirect.
Fetched fetch(Fetch request);

}  // namespace svc::outgoing
