// The few pages that the routes of accounts have of their own, for people who follow a link of a
// mail: plain forms, without a script. They look like the app's pages, and need none of their
// files.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth {

// Does a person in a browser read the answer, and no program?
bool in_browser(const http::Head& head);

// The address of such a page has a token, which no other page hears of.
inline constexpr std::string_view kNoReferrer = "no-referrer";
// With it a form says where its page is from. Pages of the app take no other form.
inline constexpr std::string_view kOwnReferrer = "same-origin";

// `title` is text; `body` is HTML, with what it holds of others escaped (http::escape_html).
void answer_page(const Call& call, std::string_view title, std::string_view body,
                 std::string_view referrer = kNoReferrer);

// The refusal in place of the page that a link leads to, with its status.
void answer_refused_page(const Call& call, const identity::Refusal& refusal);

// A link as a button that leads to a page of the app; empty where the app has no pages.
std::string button_to(const Call& call, std::string_view path, std::string_view words);

}  // namespace svc::auth
