#include "verify/page/page_shape.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace svc::devapi::verification {
namespace {

using std::string_view;

constexpr std::size_t kUuid = 36;
constexpr string_view kCursor = "cursor=";
constexpr string_view kOfOneAnswer[] = {" nonce=\"", " data-build=\"", " data-live-at=\""};
// Addresses of scripts and styles are hashes of them.
constexpr string_view kKept[] = {"<script", "<link"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_uuid(string_view text) {
    if (text.size() < kUuid) return false;
    for (std::size_t i = 0; i < kUuid; ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
            return false;
    }
    return true;
}

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
        if (is_uuid(tag.substr(at))) {
            out += '*';
            at += kUuid;
        } else if (is_digit(tag[at])) {
            out += '0';
            while (at < tag.size() && is_digit(tag[at])) ++at;
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
