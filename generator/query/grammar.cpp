#include "query/grammar.hpp"

#include <pg_query.h>

namespace svc::query {

std::optional<nlohmann::json> parse_sql(const std::string& sql, SyntaxError& error) {
    const PgQueryParseResult result = pg_query_parse(sql.c_str());
    std::optional<nlohmann::json> tree;
    if (result.error != nullptr) {
        error = {result.error->message, byte_of(sql, result.error->cursorpos)};
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
