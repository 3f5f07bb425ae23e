// Names that a statement gives to results of functions in FROM. PostgreSQL reads a name behind the
// dot of such a one as a call or a cast, where the result is no row.
#include <algorithm>
#include <iterator>
#include <sstream>

#include "data/sql/check.hpp"
#include "sql/allowed.hpp"

namespace svc::data::sql {

namespace {

// Functions that take no parentheses.
constexpr std::string_view kCalledBare =
    " current_catalog current_date current_role current_schema current_time current_timestamp "
    "current_user localtime localtimestamp session_user system_user user ";

// Words that are no alias without quotes; they stand behind ")" of conditions.
constexpr std::string_view kNoAlias =
    " and as asc case desc else end except fetch for from group having in intersect is limit not "
    "offset on or order returning then to union using when where window with ";

// What an item without an alias is called that is no function by its own name: trim() by what it
// does, a cast by its type, as PostgreSQL calls it.
void add_other_names(std::set<std::string, std::less<>>& names) {
    std::istringstream types{std::string(svc::sql::kTypes)};
    names.insert(std::istream_iterator<std::string>(types), {});
    for (const char* name : {"btrim", "ltrim", "rtrim"}) names.insert(name);
}

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

// Without an alias the function's own name is one.
bool is_called(const Tokens& tokens, std::size_t at) {
    if (tokens[at].kind == SqlToken::word && svc::sql::lists(kCalledBare, tokens[at].text))
        return true;
    const bool opens = at + 1 < tokens.size() && tokens[at + 1].is('(');
    return opens && may_open(tokens[at].text) && !names_columns(tokens, at + 1);
}

// A cast without an alias is called as its type, or as what is cast: a column, or what a query in
// it gives.
bool is_in_cast(const Tokens& tokens, std::size_t at, std::size_t end) {
    const bool before_dot = at + 1 < tokens.size() && tokens[at + 1].is('.');
    return at < end && !before_dot;
}

// By PostgreSQL's grammar an alias in FROM stands behind the item that it names, or behind AS.
bool stands_behind_call(const Tokens& tokens, std::size_t at,
                        const std::vector<std::size_t>& opened) {
    const SqlToken& name = tokens[at];
    const bool clause =
        at + 1 < tokens.size() && tokens[at + 1].is('(') && (name.is("filter") || name.is("over"));
    if (clause || (name.kind == SqlToken::word && svc::sql::lists(kNoAlias, name.text)))
        return false;
    if (at > 1 && tokens[at - 1].is("as")) --at;
    if (at == 0) return false;
    const SqlToken& end = tokens[at - 1];
    const bool bare = end.kind == SqlToken::word && svc::sql::lists(kCalledBare, end.text);
    return bare || end.is("ordinality") || (end.is(')') && opens_call(tokens, opened[at - 1]));
}

}  // namespace

std::set<std::string, std::less<>> named_results(const Tokens& tokens) {
    std::set<std::string, std::less<>> names;
    const std::vector<std::size_t> opened = openers(tokens);
    std::vector<std::size_t> closed(tokens.size(), 0);
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (opened[at] != kNoToken) closed[opened[at]] = at;
    std::size_t cast_end = 0;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (!tokens[at].names()) continue;
        const bool casts = tokens[at].is("cast") || tokens[at].is("trim");
        if (casts && at + 1 < tokens.size() && tokens[at + 1].is('(')) {
            cast_end = std::max(cast_end, closed[at + 1]);
            add_other_names(names);
        }
        if (is_called(tokens, at) || is_in_cast(tokens, at, cast_end) ||
            stands_behind_call(tokens, at, opened))
            names.insert(tokens[at].text);
    }
    return names;
}

}  // namespace svc::data::sql
