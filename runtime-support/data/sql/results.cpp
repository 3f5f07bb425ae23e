// Names that a statement gives to results of functions in FROM. PostgreSQL reads a name behind the
// dot of such a one as a call or a cast, where the result is no row.
#include "data/sql/check.hpp"
#include "sql/allowed.hpp"

namespace svc::data::sql {

namespace {

// Functions that take no parentheses.
constexpr std::string_view kCalledBare =
    " current_catalog current_date current_role current_schema current_time current_timestamp "
    "current_user localtime localtimestamp session_user system_user user ";

// The opening parenthesis of each closing one.
std::vector<std::size_t> openers(const Tokens& tokens) {
    std::vector<std::size_t> of(tokens.size(), kNoToken), open;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].is('(')) open.push_back(at);
        if (!tokens[at].is(')') || open.empty()) continue;
        of[at] = open.back();
        open.pop_back();
    }
    return of;
}

// f( …, rows from ( …: not a subquery and no joined tables in parentheses.
bool opens_call(const Tokens& tokens, std::size_t open) {
    if (open == kNoToken || open == 0) return false;
    const SqlToken& before = tokens[open - 1];
    const bool of_tables = is_any(before, {"from", "join", "lateral", "using"});
    if (of_tables) return open > 1 && tokens[open - 2].is("rows");
    return before.names();
}

}  // namespace

// By PostgreSQL's grammar an alias in FROM stands behind the item that it names, or behind AS.
std::set<std::string, std::less<>> named_results(const Tokens& tokens) {
    std::set<std::string, std::less<>> names;
    const std::vector<std::size_t> opened = openers(tokens);
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        if (!tokens[at].names()) continue;
        std::size_t item = at - 1;
        if (tokens[item].is("as") && item > 0) --item;
        const SqlToken& end = tokens[item];
        const bool bare = end.kind == SqlToken::word && svc::sql::lists(kCalledBare, end.text);
        if (bare || end.is("ordinality") || (end.is(')') && opens_call(tokens, opened[item])))
            names.insert(tokens[at].text);
    }
    return names;
}

}  // namespace svc::data::sql
