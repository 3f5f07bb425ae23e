// What a request's head shows to prove who sends it.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::identity {

// A stream of server-sent events: EventSource can set no header, so what it shows may stand in the
// query, as access_token and app_session.
bool may_show_in_query(const http::Head& head);

// The value after "Bearer" in Authorization; empty where there is none.
std::string_view bearer(const http::Head& head);

// Of a Cookie header; empty where it has none of this name.
std::string_view cookie(std::string_view line, std::string_view name);

// What the browser calls a cookie of the app. Behind TLS "__Host-" stands before its name, by which
// the browser promises that this host alone has set it: no page of a sibling host, and nobody
// without TLS. It promises so for the path "/" only.
std::string cookie_name(const http::Head& head, std::string_view name, std::string_view path);
// Read under that name alone: anybody may have planted the other.
std::string_view own_cookie(const http::Head& head, std::string_view name, std::string_view path);
// Previews by path share an origin, and must not share a session: "/preview/<id>/", else "/".
std::string session_path(const http::Head& head);
std::string_view session_cookie(const http::Head& head);

inline constexpr std::string_view kSessionCookie = "svc_app_session";
inline constexpr std::string_view kSessionHeader = "x-svc-app-session";

struct ShownSession {
    std::string_view token;  // empty: none
    bool by_cookie = false;  // a browser adds a cookie by itself, so it proves no intent
};
// The header before the cookie.
ShownSession shown_session(const http::Head& head);

// False for the methods that only read.
bool changes_state(const http::Head& head);

}  // namespace svc::identity
