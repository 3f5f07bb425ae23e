// Answers that several account routes give.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth {

// {"id":…,"email":…,"name":…,"isAdmin":…,"role":…,"orgId":…}
void append_user(std::string& out, const User& user);

void answer_ok(http::Exchange& exchange);

// {ok, token, user}, and the token as cookie. `more`: further members, as JSON: ,"a":1
void answer_signed_in(const Call& call, const User& user, std::string_view token,
                      std::string_view more = {});

// Sets a cookie that is HttpOnly, SameSite=Lax, and Secure behind TLS. No seconds: clears it.
void add_cookie(const Call& call, std::string_view name, std::string_view value,
                std::string_view path, std::int64_t seconds);

// Sets the session's cookie. No seconds: clears it.
void set_cookie(const Call& call, std::string_view token, unsigned max_age);

// Redirects a browser to `place`.
void send_to(const Call& call, std::string_view place);

// Redirects the client to `place`, unless it is a program that asked for JSON. Returns false if the
// caller must answer in another way.
bool redirect_to(const Call& call, std::string_view place);

// Redirects the client to the app's page with `query`, if the app's origin is known and the client
// did not ask for JSON. Returns false if the caller must answer in another way.
bool redirect_to_app(const Call& call, std::string_view query);

}  // namespace svc::auth
