#include "cli/app/sql_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/ascii.hpp"

namespace svc::cli {
namespace {

// A statement with another first word only reads, or the service refuses it.
constexpr std::array<std::string_view, 17> kWriting = {
    "insert", "update",  "delete", "merge", "truncate", "create", "alter",   "drop",   "grant",
    "revoke", "comment", "copy",   "call",  "do",       "into",   "refresh", "execute"};

bool is_word(char c) { return base::is_alphanumeric(c) || c == '_'; }

// The index after the closing quote of the text at `at`; a doubled quote is part of the text.
std::size_t past_quoted(std::string_view sql, std::size_t at) {
    const char quote = sql[at];
    while (++at < sql.size())
        if (sql[at] == quote && (++at >= sql.size() || sql[at] != quote)) return at;
    return sql.size();
}

std::size_t past(std::string_view sql, std::size_t at, std::string_view end) {
    const auto found = sql.find(end, at);
    return found == std::string_view::npos ? sql.size() : found + end.size();
}

}  // namespace

// If a text may end elsewhere than it seems (an escape in it, a dollar quote), the result is false.
bool may_write(std::string_view sql) {
    for (std::size_t at = 0; at < sql.size();) {
        const char c = sql[at];
        if (c == '\'' || c == '"') {
            if (sql.find('\\', at) != std::string_view::npos) return true;
            at = past_quoted(sql, at);
        } else if (sql.substr(at, 2) == "--") {
            at = past(sql, at, "\n");
        } else if (sql.substr(at, 2) == "/*") {
            at = past(sql, at, "*/");
        } else if (c == '$') {
            return true;
        } else if (is_word(c)) {
            std::string word;
            while (at < sql.size() && is_word(sql[at])) word += base::lower(sql[at++]);
            if (std::ranges::find(kWriting, word) != kWriting.end()) return true;
        } else {
            ++at;
        }
    }
    return false;
}

}  // namespace svc::cli
