// What a request's head shows to prove who sends it.
#pragma once

#include <string_view>

#include "http/exchange.hpp"

namespace svc::identity {

// The value after "Bearer" in Authorization; empty where there is none.
std::string_view bearer(const http::Head& head);

// Of a Cookie header; empty where it has none of this name.
std::string_view cookie(std::string_view line, std::string_view name);

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
