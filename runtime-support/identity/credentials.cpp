#include "identity/credentials.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "base/ascii.hpp"

namespace svc::identity {
namespace {

// The value as it was sent: keys and tokens have no characters that would be encoded.
std::string_view shown_in_query(const http::Head& head, std::string_view name) {
    if (!head.credentials_in_query || changes_state(head)) return {};
    std::string_view query = head.query;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
            return pair.substr(name.size() + 1);
    }
    return {};
}

}  // namespace

std::string_view cookie(std::string_view line, std::string_view name) {
    while (!line.empty()) {
        const auto end = std::min(line.find(';'), line.size());
        const std::string_view pair = base::trim(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
        const auto equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == name)
            return pair.substr(equals + 1);
    }
    return {};
}

std::string cookie_name(const http::Head& head, std::string_view name, std::string_view path) {
    return (head.by_tls && path == "/" ? "__Host-" : "") + std::string(name);
}

std::string_view own_cookie(const http::Head& head, std::string_view name, std::string_view path) {
    return cookie(head.header("cookie"), cookie_name(head, name, path));
}

std::string session_path(const http::Head& head) {
    if (!head.path.starts_with(base::kPreviewPath)) return "/";
    const auto end = head.path.find('/', base::kPreviewPath.size());
    return std::string(head.path.substr(0, end + 1));
}

std::string_view session_cookie(const http::Head& head) {
    return own_cookie(head, kSessionCookie, session_path(head));
}

std::string_view bearer(const http::Head& head) {
    constexpr std::string_view kScheme = "Bearer ";
    const std::string_view value = head.header("authorization");
    if (value.empty()) return shown_in_query(head, "access_token");
    if (value.size() <= kScheme.size()) return {};
    if (!base::iequals(value.substr(0, kScheme.size()), kScheme)) return {};
    return base::trim(value.substr(kScheme.size()));
}

ShownSession shown_session(const http::Head& head) {
    const std::string_view token = head.header(kSessionHeader);
    if (!token.empty()) return {token, false};
    const std::string_view in_query = shown_in_query(head, "app_session");
    if (!in_query.empty()) return {in_query, false};
    return {session_cookie(head), true};
}

bool changes_state(const http::Head& head) {
    return head.method != "GET" && head.method != "HEAD" && head.method != "OPTIONS";
}

}  // namespace svc::identity
