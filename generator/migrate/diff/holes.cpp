#include "migrate/diff/holes.hpp"

#include <algorithm>

namespace svc::migrate {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool in_tag(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t past(std::string_view sql, std::string_view end, std::size_t from) {
    const auto at = sql.find(end, from);
    return at == kNone ? sql.size() : at + end.size();
}

// The end of the text, quoted name or comment that begins at `at`; otherwise `at`. A doubled quote
// counts as the end of one text and the beginning of the next, which gives the same result.
std::size_t skip(std::string_view sql, std::size_t at) {
    const char c = sql[at];
    if (c == '\'' || c == '"') return past(sql, sql.substr(at, 1), at + 1);
    if (sql.substr(at, 2) == "--") return past(sql, "\n", at);
    if (c != '$') return at;
    std::size_t end = at + 1;
    while (end < sql.size() && in_tag(sql[end])) ++end;
    if (end >= sql.size() || sql[end] != '$') return at;
    return past(sql, sql.substr(at, end + 1 - at), end + 1);
}

}  // namespace

std::string fill_placeholder(std::string_view sql, std::string_view placeholder,
                             std::string_view by) {
    std::string out;
    for (std::size_t at = 0; at < sql.size();) {
        const std::size_t next = skip(sql, at);
        if (next == at && sql.substr(at, placeholder.size()) == placeholder) {
            out += by;
            at += placeholder.size();
            continue;
        }
        const std::size_t end = std::max(next, at + 1);
        out += sql.substr(at, end - at);
        at = end;
    }
    return out;
}

}  // namespace svc::migrate
