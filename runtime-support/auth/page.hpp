// The few pages that the routes of accounts have of their own, for people who follow a link of a
// mail: plain forms, without a script. They look like the app's pages, and need none of their
// files.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth {

// True if a person in a browser reads the answer, not a program.
bool in_browser(const http::Head& head);

// The address of such a page contains a token, so it must not be sent to other pages as a referrer.
inline constexpr std::string_view kNoReferrer = "no-referrer";
// With this policy a form names its origin. Pages of the app accept no other form.
inline constexpr std::string_view kOwnReferrer = "same-origin";

// `title` is text; `body` is HTML in which foreign text is escaped (http::escape_html).
void answer_page(const Call& call, std::string_view title, std::string_view body,
                 std::string_view referrer = kNoReferrer);

// Answers a link with a page that shows the refusal, with its status.
void answer_refused_page(const Call& call, const identity::Refusal& refusal);

// A link as a button that leads to a page of the app; empty where the app has no pages.
std::string button_to(const Call& call, std::string_view path, std::string_view words);

}  // namespace svc::auth
