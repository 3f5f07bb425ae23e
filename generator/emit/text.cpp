#include "emit/text.hpp"

#include <algorithm>

#include "emit/sql_lines.hpp"

namespace svc::emit {
namespace {

std::string escaped(char c) {
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '?':
            return "\\?";  // no trigraphs
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) return {c};
    // Three octal digits always: a following digit cannot join them.
    const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                          static_cast<char>('0' + ((byte >> 3) & 7)),
                          static_cast<char>('0' + (byte & 7)), '\0'};
    return octal;
}

// Bytes that a raw literal shows as they are: printable ASCII and ends of lines. Others might show
// the reader another text than the compiler's, and a carriage return is not kept.
bool is_plain(char c) { return (c >= ' ' && c <= '~') || c == '\n'; }

}  // namespace

std::string cpp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += escaped(c);
    return out + "\"";
}

std::string cpp_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
        out += "\n    " + cpp_literal(line);
        text.remove_prefix(line.size());
    }
    return out;
}

std::string sql_literal(std::string_view text) {
    const std::string sql = sql_lines(text);
    if (!std::ranges::all_of(sql, is_plain)) return cpp_lines(sql);
    std::string delimiter = "sql";
    for (int n = 2; sql.find(')' + delimiter + '"') != std::string_view::npos; ++n)
        delimiter = "sql" + std::to_string(n);
    return "R\"" + delimiter + "(\n" + sql + "\n)" + delimiter + '"';
}

std::string principals(std::uint64_t bits, const std::vector<std::string>& names) {
    if (bits == ~std::uint64_t{0}) return "svc::kEveryone";
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (bits == ~(std::uint64_t{1} << i)) return "svc::kEveryone & ~" + names[i];
        if ((bits >> i & 1) != 0) out += (out.empty() ? "" : " | ") + names[i];
    }
    return out.empty() ? "svc::kNobody" : out;
}

}  // namespace svc::emit
