#include "verify/page/page_shape.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "base/formats.hpp"

namespace svc::devapi::verification {
namespace {

using std::string_view;

constexpr std::size_t kUuid = 36;
constexpr string_view kCursor = "cursor=";
constexpr string_view kOfOneAnswer[] = {" nonce=\"", " data-build=\"", " data-live-at=\""};
// Addresses of scripts and styles are hashes of them.
constexpr string_view kKept[] = {"<script", "<link"};

// A quoted value may have a ">".
std::size_t end_of_tag(const std::string& html, std::size_t at) {
    for (bool quoted = false; at < html.size(); ++at) {
        if (html[at] == '"') quoted = !quoted;
        if (html[at] == '>' && !quoted) return at + 1;
    }
    return html.size();
}

std::string without_attributes_of_one_answer(std::string tag) {
    for (const string_view attribute : kOfOneAnswer) {
        const auto at = tag.find(attribute);
        if (at == tag.npos) continue;
        const auto end = tag.find('"', at + attribute.size());
        tag.erase(at, end == tag.npos ? tag.npos : end + 1 - at);
    }
    return tag;
}

void add_without_numbers(std::string& out, string_view tag) {
    for (std::size_t at = 0; at < tag.size();) {
        if (base::is_uuid(tag.substr(at, kUuid))) {
            out += '*';
            at += kUuid;
        } else if (base::is_digit(tag[at])) {
            out += '0';
            while (at < tag.size() && base::is_digit(tag[at])) ++at;
        } else if (tag.substr(at).starts_with(kCursor)) {
            out += kCursor;
            at = std::min(tag.find_first_of("&\"#", at), tag.size());
        } else {
            out += tag[at++];
        }
    }
}

void add_tag(std::string& out, const std::string& tag) {
    const bool kept =
        tag.find(" data-component=") != tag.npos ||
        std::ranges::any_of(kKept, [&](string_view one) { return tag.starts_with(one); });
    if (kept)
        out += tag;
    else
        add_without_numbers(out, tag);
}

}  // namespace

std::string page_shape(const std::string& html) {
    std::string out;
    for (std::size_t at = 0; at < html.size();) {
        const bool tag = html[at] == '<';
        const auto end = tag ? end_of_tag(html, at) : std::min(html.find('<', at), html.size());
        const std::string part = html.substr(at, end - at);
        if (tag)
            add_tag(out, without_attributes_of_one_answer(part));
        else if (part.find_first_not_of(" \t\r\n") != part.npos)
            out += '.';
        at = end;
    }
    return out;
}

}  // namespace svc::devapi::verification
