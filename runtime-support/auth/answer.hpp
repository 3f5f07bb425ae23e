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

// HttpOnly, SameSite=Lax, Secure behind TLS; no seconds: it is cleared.
void add_cookie(const Call& call, std::string_view name, std::string_view value,
                std::string_view path, std::int64_t seconds);

// The session's cookie; no seconds: it is cleared.
void set_cookie(const Call& call, std::string_view token, unsigned max_age);

// Sends a browser there.
void send_to(const Call& call, std::string_view place);

// Where the client is not a program that asked for JSON: sends it to `place`. False: answer it
// otherwise.
bool redirect_to(const Call& call, std::string_view place);

// Where the app's origin is known and the client is not a program that asked for JSON: sends it to
// the app's page with `query`. False: answer it otherwise.
bool redirect_to_app(const Call& call, std::string_view query);

}  // namespace svc::auth
