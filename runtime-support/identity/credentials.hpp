// The credentials in a request's head.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::identity {

// If Head::credentials_in_query is set and the request only reads, the key may be in the query as
// access_token, and the session as app_session. A header takes precedence.

// The value after "Bearer" in Authorization; empty if there is none.
std::string_view bearer(const http::Head& head);

// The value of a cookie in a Cookie header; empty if it has no cookie of this name.
std::string_view cookie(std::string_view line, std::string_view name);

// The name of the app's cookie in the browser. Behind TLS it begins with "__Host-". For such a name
// the browser ensures that only this host set the cookie, and over TLS. Browsers accept that prefix
// for the path "/" only.
std::string cookie_name(const http::Head& head, std::string_view name, std::string_view path);
// The value of the cookie with that name. A cookie without the prefix is ignored: somebody else may
// have set it.
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
// The header takes precedence over the cookie.
ShownSession shown_session(const http::Head& head);

// False for the methods that only read.
bool changes_state(const http::Head& head);

}  // namespace svc::identity
