// The protocol for tools of 2026-07-28: no handshake and no session; each message has its version,
// and headers repeat values for proxies. Source: Model Context Protocol 2026-07-28, "Versioning"
// and "Streamable HTTP".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "http/dev_request.hpp"

namespace svc::devapi {

inline constexpr std::string_view kStateless = "2026-07-28";
// Newest first.
inline constexpr std::array<std::string_view, 3> kMcpVersions = {kStateless, "2025-06-18",
                                                                 "2025-03-26"};

// A member that is a string. Empty for every other member, and for what is no object.
std::string text_in(const json& object, const char* name);

// True if the message or the version header names this version of the protocol or a later one.
bool is_stateless(const Request& request, const json& message);

struct McpError {
    int code = 0;
    std::string message;
    json data;  // null: none
};
// Returns nothing if the message follows the protocol.
std::optional<McpError> stateless_fault(const Request& request, const json& message);

// A result as this protocol has it; `server` says who we are. The client may cache it for
// `kept_ms`. Below 0: it must not be cached.
std::string stateless_result(std::string result, const json& server, long kept_ms);

}  // namespace svc::devapi
