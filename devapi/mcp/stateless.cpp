#include "mcp/stateless.hpp"

#include <algorithm>

#include "base/crypto.hpp"
#include "common/json_slice.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr int kHeaderMismatch = -32020, kUnsupportedVersion = -32022;

const json& member_of(const json& object, const char* name) {
    static const json none;
    return object.is_object() && object.contains(name) ? object[name] : none;
}

std::string version_of(const json& message) {
    return text_in(member_of(member_of(message, "params"), "_meta"), kVersionKey);
}

// Versions are dates: a later one is of a protocol that begins without a greeting as well.
bool is_date_from(std::string_view version, std::string_view first) {
    return version.size() == first.size() && version >= first;
}

// A value that a header cannot contain is sent in Base64.
std::string header_text(std::string_view header) {
    constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
    if (!header.starts_with(kBegin) || !header.ends_with(kEnd)) return std::string(header);
    header.remove_prefix(kBegin.size());
    header.remove_suffix(std::min(header.size(), kEnd.size()));
    return base::base64_decoded(header).value_or("");
}

McpError mismatch(std::string message) { return {kHeaderMismatch, std::move(message), {}}; }

}  // namespace

std::string text_in(const json& object, const char* name) {
    const json& member = member_of(object, name);
    return member.is_string() ? member.get<std::string>() : std::string();
}

bool is_stateless(const Request& request, const json& message) {
    return !version_of(message).empty() || is_date_from(request.mcp_version, kStateless);
}

std::optional<McpError> stateless_fault(const Request& request, const json& message) {
    const std::string version = version_of(message), method = text_in(message, "method");
    if (version != request.mcp_version)
        return mismatch(
            "The header MCP-Protocol-Version and the message must name the same version.");
    if (version != kStateless)
        return McpError{kUnsupportedVersion,
                        "This version of the protocol is not supported.",
                        {{"supported", kMcpVersions}, {"requested", version}}};
    if (method.empty() || request.mcp_method != method)
        return mismatch("The header Mcp-Method must be the method of the message.");
    const std::string name = text_in(member_of(message, "params"), "name");
    if (method == "tools/call" && header_text(request.mcp_name) != name)
        return mismatch("The header Mcp-Name must be the name of the tool.");
    return std::nullopt;
}

std::string stateless_result(std::string result, const json& server, long kept_ms) {
    result = with_member(result, "resultType", "\"complete\"");
    if (kept_ms >= 0) {
        result = with_member(result, "ttlMs", std::to_string(kept_ms));
        result = with_member(result, "cacheScope", "\"private\"");
    }
    return with_member(result, "_meta", to_text({{kServerKey, server}}));
}

}  // namespace svc::devapi
