// Arguments of tools that a server wants to see in headers as well. Source: Model Context Protocol
// 2026-07-28, "Custom Headers from Tool Parameters".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "json/value.hpp"

namespace svc::connector {

using ToolHeaders = std::vector<std::pair<std::vector<std::string>, std::string>>;

// Reads the marks of a tool's inputSchema. False if they do not follow the protocol: the tool
// cannot be called.
bool read_headers(const json::Value& schema, ToolHeaders& out);

// Mcp-Name, and Mcp-Param-… for each argument that was sent.
std::vector<std::pair<std::string, std::string>> mirrored_headers(const std::string& tool,
                                                                  const ToolHeaders& headers,
                                                                  const json::Value& arguments);

}  // namespace svc::connector
