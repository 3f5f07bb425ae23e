#include "query/grammar.hpp"

#include <pg_query.h>

#include <cstring>

namespace svc::query {
namespace {

constexpr std::size_t kMaxTree = 8 * 1024 * 1024;  // bytes of JSON

}  // namespace

std::optional<nlohmann::json> parse_sql(const std::string& sql, SyntaxError& error) {
    const PgQueryParseResult result = pg_query_parse(sql.c_str());
    std::optional<nlohmann::json> tree;
    if (result.error != nullptr) {
        error = {result.error->message, byte_of(sql, result.error->cursorpos)};
    } else if (std::strlen(result.parse_tree) > kMaxTree) {
        tree = nlohmann::json();
    } else {
        tree = nlohmann::json::parse(result.parse_tree).at("stmts");
    }
    pg_query_free_parse_result(result);
    return tree;
}

std::size_t byte_of(std::string_view text, int position) {
    std::size_t at = 0;
    for (int left = position - 1; left > 0 && at < text.size(); --left) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
}

}  // namespace svc::query
