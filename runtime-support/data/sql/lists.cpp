// Parentheses behind a name that call nothing: the columns of a common table expression, of an
// alias.
#include "data/sql/check.hpp"

namespace svc::data::sql {

namespace {

// The parenthesis that opens what the one at `at` closes.
std::size_t opener(const Tokens& tokens, std::size_t at) {
    std::size_t closed = 0;
    while (at-- > 0) {
        if (tokens[at].is(')')) ++closed;
        if (!tokens[at].is('(')) continue;
        if (closed == 0) return at;
        --closed;
    }
    return kNoToken;
}

// Behind "( name, name )"; kNoToken where something else is in it.
std::size_t behind_names(const Tokens& tokens, std::size_t at) {
    for (++at; at + 1 < tokens.size() && tokens[at].names(); at += 2) {
        if (tokens[at + 1].is(')')) return at + 2;
        if (!tokens[at + 1].is(',')) break;
    }
    return kNoToken;
}

// VALUES may be a column of a function's result as well, where a type follows it.
bool begins_query(const Tokens& tokens, std::size_t at) {
    if (at + 1 >= tokens.size()) return false;
    if (tokens[at].is("values")) return tokens[at + 1].is('(');
    return tokens[at].is('(') || is_any(tokens[at], {"select", "with", "table"});
}

// as [not] [materialized] ( query: a function in FROM has columns with types there, no query.
bool is_expression_body(const Tokens& tokens, std::size_t at) {
    if (at >= tokens.size() || !tokens[at].is("as")) return false;
    ++at;
    if (at < tokens.size() && tokens[at].is("not")) ++at;
    if (at < tokens.size() && tokens[at].is("materialized")) ++at;
    return at < tokens.size() && tokens[at].is('(') && begins_query(tokens, at + 1);
}

// from ( query ) name: an expression right behind a parenthesis has DISTINCT ON before that alone.
bool behind_subquery(const Tokens& tokens, std::size_t at) {
    if (!tokens[at].is(')')) return false;
    const std::size_t open = opener(tokens, at);
    if (open == kNoToken || open == 0 || !begins_query(tokens, open + 1)) return false;
    const SqlToken& before = tokens[open - 1];
    return before.is(',') || is_any(before, {"from", "join", "lateral"});
}

}  // namespace

bool in_cast(const Tokens& tokens, std::size_t at) {
    const std::size_t open = opener(tokens, at);
    return open != kNoToken && open > 0 && tokens[open - 1].is("cast");
}

bool names_columns(const Tokens& tokens, std::size_t parenthesis) {
    const std::size_t behind = behind_names(tokens, parenthesis);
    if (behind == kNoToken || parenthesis < 2) return false;
    const SqlToken& before = tokens[parenthesis - 2];
    if (before.is("as")) return !in_cast(tokens, parenthesis);
    const bool in_with = before.is(',') || is_any(before, {"with", "recursive"});
    if (in_with) return is_expression_body(tokens, behind);
    return behind_subquery(tokens, parenthesis - 2);
}

}  // namespace svc::data::sql
