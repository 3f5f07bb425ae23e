#include "http/request/path.hpp"

#include <algorithm>

#include "base/percent.hpp"
#include "base/utf8.hpp"
#include "http/exchange.hpp"

namespace svc::http {
namespace {

bool well_escaped(std::string_view path) {
    for (auto at = path.find('%'); at != path.npos; at = path.find('%', at + 1)) {
        if (!base::begins_with_percent_code(path.substr(at))) return false;
    }
    return true;
}

bool is_ascii(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

bool has_dot_segment(std::string_view path) {
    while (!path.empty()) {
        const std::string_view segment = path.substr(0, path.find('/'));
        if (segment == "." || segment == "..") return true;
        path.remove_prefix(std::min(path.size(), segment.size() + 1));
    }
    return false;
}

}  // namespace

std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return std::nullopt;
    const std::string_view rest = path.substr(prefix.size());
    if (!rest.empty() && rest.front() != '/') return std::nullopt;
    return rest;
}

std::string_view path_fault(std::string_view path) {
    constexpr std::string_view kDots = "the path has a segment . or ..";
    const bool plain = path.find('%') == path.npos && is_ascii(path);
    // Almost every path: no escape, and no dot at the begin of a segment.
    if (plain) return path.find("/.") != path.npos && has_dot_segment(path) ? kDots : "";
    if (!well_escaped(path)) return "a % in the path is not followed by two hexadecimal digits";
    if (path.find("%00") != path.npos) return "the path has an encoded U+0000";
    const std::string decoded = decode_path(path);
    if (!base::is_utf8(decoded)) return "the path is not UTF-8";
    return has_dot_segment(decoded) ? kDots : "";
}

std::string decode_path(std::string_view path) {
    std::string out;
    for (;;) {
        const auto slash = std::min(path.find("%2F"), path.find("%2f"));
        out += base::percent_decoded(path.substr(0, slash), false);
        if (slash == path.npos) return out;
        out += kEncodedSlash;
        path.remove_prefix(slash + 3);
    }
}

}  // namespace svc::http
