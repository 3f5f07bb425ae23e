#include "data/sql/check.hpp"

#include <algorithm>

#include "data/columns.hpp"

namespace svc::data::sql {

namespace {

bool is_column(const App& app, std::string_view name) {
    return std::ranges::any_of(app.entities, [&](const Entity* entity) {
        return std::ranges::find(entity->columns, name, &Column::name) != entity->columns.end();
    });
}

using Names = std::set<std::string, std::less<>>;

// A name behind a dot may be a function in PostgreSQL's eyes, so it must be a column that we know,
// of what has columns.
std::optional<Error> check_dot(const Tokens& tokens, std::size_t at, const App& app,
                               const Names& results) {
    // Schemas that callers' statements may look into; a table there is not what it is here.
    const bool schema = at > 0 && (tokens[at - 1].text == "public" || tokens[at - 1].text == "svc");
    const bool behind_name = at > 0 && tokens[at - 1].names() && !schema;
    const bool third = at > 1 && tokens[at - 2].is('.');
    const bool before_end = at + 1 < tokens.size();
    const bool star = before_end && tokens[at + 1].is('*');
    const bool column = before_end && tokens[at + 1].names() && is_column(app, tokens[at + 1].text);
    if (column && behind_name && results.contains(tokens[at - 1].text)) {
        return bad_params(tokens[at - 1].text +
                          " is the name of a function's result here. Its values are written "
                          "without a dot, and a table takes another name.");
    }
    if (behind_name && !third && (star || column)) return std::nullopt;
    return bad_params(
        "Behind a dot stands a column of the app's tables, before it the name of one of them or an "
        "alias. What a query names itself is written without a dot.");
}

// Who the session is, and types that read the catalogue.
bool tells_of_database(std::string_view word) {
    static constexpr std::string_view kWords[] = {
        "current_user",    "session_user",   "system_user", "user",         "current_role",
        "current_catalog", "current_schema", "regclass",    "regcollation", "regconfig",
        "regdictionary",   "regnamespace",   "regoper",     "regoperator",  "regproc",
        "regprocedure",    "regrole",        "regtype"};
    return std::ranges::find(kWords, word) != std::end(kWords);
}

bool is_table(const App& app, std::string_view name) {
    return std::ranges::any_of(app.entities,
                               [&](const Entity* entity) { return entity->name == name; });
}

std::optional<Error> check_token(const Tokens& tokens, std::size_t at, const App& app,
                                 const Names& results) {
    const SqlToken& token = tokens[at];
    if (token.is('.')) return check_dot(tokens, at, app, results);
    if (token.names() && (token.text.starts_with("pg_") || token.text == "information_schema")) {
        return bad_params(token.text + " is none of the app's tables and functions.");
    }
    if (token.names() && tells_of_database(token.text) && !(at > 0 && tokens[at - 1].is('.'))) {
        return bad_params(token.text + " tells of the database itself, and is not read here.");
    }
    if (names_type(tokens, at) && !may_be_cast_to(token)) {
        // A row that was made up tells the names of its columns.
        if (is_table(app, token.text))
            return bad_params("Nothing is cast to a row of " + token.text + " here.");
        return bad_params(token.text +
                          " is no type that may be used here. Types are those of texts, numbers, "
                          "dates, JSON, ranges and uuid.");
    }
    const bool opens = token.is('(') && at > 0 && tokens[at - 1].names();
    if (opens && !may_open(tokens[at - 1].text) && !names_columns(tokens, at)) {
        return bad_params(tokens[at - 1].text + " is no function that may be called here.");
    }
    return std::nullopt;
}

std::string readable_columns(const Entity& entity, const Caller& caller) {
    std::string out;
    for (const Column& column : entity.columns) {
        if (caller.is(column.readers)) out += (out.empty() ? "" : ", ") + quoted_name(column.name);
    }
    return out;
}

}  // namespace

std::optional<Error> check_tokens(const Tokens& tokens, const App& app, std::size_t column_list) {
    const Names results = named_results(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i == column_list) continue;
        if (auto error = check_token(tokens, i, app, results)) return error;
    }
    return std::nullopt;
}

std::string tables(const Tokens& tokens, const App& app, const Caller& caller) {
    std::string out;
    for (const Entity* entity : app.entities) {
        const auto named = [&](const SqlToken& token) {
            return token.names() && token.text == entity->name;
        };
        if (std::ranges::none_of(tokens, named)) continue;
        const std::string name = quoted_name(entity->name);
        out += (out.empty() ? "with " : ", ") + name + " as not materialized (select " +
               readable_columns(*entity, caller) + " from public." + name + ")";
    }
    return out.empty() ? out : out + '\n';
}

std::string_view trimmed(std::string_view sql, const Tokens& tokens) {
    return sql.substr(0, tokens.back().at + tokens.back().length);
}

bool is_any(const SqlToken& token, std::initializer_list<std::string_view> keywords) {
    return std::ranges::any_of(keywords, [&](std::string_view word) { return token.is(word); });
}

Result<GuardedSql> guard_query(std::string_view sql, const App& app, const Caller& caller,
                               std::size_t limit) {
    const auto tokens = sql_tokens(sql);
    if (!tokens) return tokens.error();
    const SqlToken& first = tokens->front();
    if (!first.is('(') && !is_any(first, {"select", "with", "values", "table"})) {
        return bad_params("A query begins with SELECT, WITH, VALUES or TABLE.");
    }
    if (const auto error = check_tokens(*tokens, app)) return *error;
    // In a subselect nothing can be written, locked for long or put elsewhere.
    return GuardedSql{tables(*tokens, app, caller) + "select * from (\n" +
                      std::string(trimmed(sql, *tokens)) + "\n) as svc_result limit " +
                      std::to_string(limit + 1)};
}

}  // namespace svc::data::sql
