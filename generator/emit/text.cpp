#include "emit/text.hpp"

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

}  // namespace

std::string cpp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += escaped(c);
    return out + "\"";
}

std::string sql_literal(std::string_view sql) {
    const bool ours =
        sql.find('\'') == std::string_view::npos && sql.find(")sql\"") == std::string_view::npos;
    if (ours) {
        return "R\"sql(\n" + std::string(sql) + "\n)sql\"";
    }
    std::string out;
    while (!sql.empty()) {
        const auto end = sql.find('\n');
        const auto line = sql.substr(0, end == std::string_view::npos ? sql.size() : end + 1);
        out += "\n    " + cpp_literal(line);
        sql.remove_prefix(line.size());
    }
    return out;
}

std::string principals(std::uint64_t bits, const std::vector<std::string>& names) {
    if (bits == ~std::uint64_t{0}) return "svc::kEveryone";
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if ((bits >> i & 1) != 0) out += (out.empty() ? "" : " | ") + names[i];
    }
    return out.empty() ? "svc::kNobody" : out;
}

}  // namespace svc::emit
