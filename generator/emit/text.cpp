#include "emit/text.hpp"

namespace svc::emit {
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
