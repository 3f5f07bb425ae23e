// The protocol for tools of 2026-07-28: no greeting, no session; each message says its version, and
// headers repeat what proxies want to see. Source: Model Context Protocol 2026-07-28, "Versioning"
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

// The message, or the header of its version, says that it is of this protocol or a later one.
bool is_stateless(const Request& request, const json& message);

struct McpError {
    int code = 0;
    std::string message;
    json data;  // null: none
};
// Nothing: the message is as the protocol wants it.
std::optional<McpError> stateless_fault(const Request& request, const json& message);

// A result as this protocol has it; `server` says who we are. Its client may keep it for `kept_ms`;
// below 0: it is nothing to keep.
std::string stateless_result(std::string result, const json& server, long kept_ms);

}  // namespace svc::devapi
