#include "emit/text.hpp"

namespace svc::emit {
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

std::string sql_literal(std::string_view sql) {
    const bool ours =
        sql.find('\'') == std::string_view::npos && sql.find(")sql\"") == std::string_view::npos;
    return ours ? "R\"sql(\n" + std::string(sql) + "\n)sql\"" : cpp_lines(sql);
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
