// Where a type may stand in a caller's SQL: behind ::, in cast(… as …), before a text.
#include <string>

#include "data/sql/check.hpp"
#include "sql/allowed.hpp"

namespace svc::data::sql {

namespace {

// Keywords that a text may follow, which are no type then; with the last words of types of several.
constexpr std::string_view kBeforeText =
    " all and asymmetric between both by case distinct else escape for from having ilike in is "
    "leading like limit not offset on or placing precision returning select similar some symmetric "
    "then to trailing varying when where zone ";

// PostgreSQL reads :: from the left.
bool behind_cast(const Tokens& tokens, std::size_t at) {
    std::size_t colons = 0;
    while (colons < at && tokens[at - 1 - colons].is(':')) ++colons;
    return colons >= 2;
}

}  // namespace

bool may_be_cast_to(const SqlToken& token) {
    if (svc::sql::is_type(token.text)) return true;
    return token.kind == SqlToken::word && svc::sql::lists(svc::sql::kSpelledTypes, token.text);
}

bool names_type(const Tokens& tokens, std::size_t at) {
    const SqlToken& token = tokens[at];
    if (!token.names() || at == 0) return false;
    if (behind_cast(tokens, at)) return true;
    if (tokens[at - 1].is("as") && in_cast(tokens, at)) return true;
    const bool literal = at + 1 < tokens.size() && tokens[at + 1].kind == SqlToken::string;
    return literal && !(token.kind == SqlToken::word && svc::sql::lists(kBeforeText, token.text));
}

}  // namespace svc::data::sql
