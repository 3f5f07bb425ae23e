#include "auth/link/previewer.hpp"

#include <algorithm>
#include <string_view>

#include "auth/page.hpp"
#include "base/ascii.hpp"
#include "http/text.hpp"

namespace svc::auth::link {
namespace {

constexpr std::string_view kPurposes[] = {"purpose", "sec-purpose", "x-purpose", "x-moz"};
constexpr std::string_view kFetchingAhead[] = {"prefetch", "preview", "prerender"};
// Parts of the names under which mail programs, messengers and search engines fetch.
constexpr std::string_view kPreviewers[] = {
    "bot",       "preview",        "externalhit", "whatsapp",   "crawler", "spider",
    "mailproxy", "slack-imgproxy", "embedly",     "linkexpand", "urlscan", "barracuda"};

bool holds_any(std::string_view text, std::span<const std::string_view> parts) {
    const std::string lower = base::lower(text);
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace

bool only_looks(const http::Head& head) {
    if (head.method == "HEAD") return true;
    if (http::query_param(head.query, "go").found) return false;  // somebody pressed the button
    for (const std::string_view name : kPurposes)
        if (holds_any(head.header(name), kFetchingAhead)) return true;
    return holds_any(head.header("user-agent"), kPreviewers);
}

void answer_look(const Call& call) {
    const std::string token = http::query_param(call.exchange.head().query, "token").value;
    answer_page(
        call, "Open this link",
        "<form><input type=\"hidden\" name=\"token\" value=\"" + http::escape_html(token) +
            "\"><input type=\"hidden\" name=\"go\" value=\"1\"><button>Continue</button></form>");
}

}  // namespace svc::auth::link
