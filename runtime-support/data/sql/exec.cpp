// Statements that write: one table, columns that the caller may send.
#include <algorithm>

#include "data/columns.hpp"
#include "data/sql/check.hpp"
#include "data/write/write_body.hpp"

namespace svc::data::sql {

namespace {

const Entity* entity_named(const App& app, std::string_view name) {
    const auto at = std::ranges::find(app.entities, name, &Entity::name);
    return at == app.entities.end() ? nullptr : *at;
}

struct Target {
    const Entity* entity = nullptr;
    std::size_t at = 0;  // of its name
    bool insert = false, update = false;
};

Result<Target> find_target(const Tokens& tokens, const App& app, const Caller& caller) {
    Target target;
    target.insert = tokens[0].is("insert");
    target.update = tokens[0].is("update");
    const std::string_view second = target.insert ? "into" : "from";
    target.at = target.update ? 1 : 2;
    const bool whole = tokens.size() > target.at && (target.update || tokens[1].is(second));
    if (whole) target.entity = entity_named(app, tokens[target.at].text);
    if (!target.entity || !tokens[target.at].names()) {
        return bad_params(
            "A statement that writes is INSERT INTO, UPDATE or DELETE FROM a table of the app.");
    }
    const Access& access = target.entity->access;
    const std::string name(target.entity->name);
    const PrincipalSet who = caller.principals;
    const bool may = target.insert   ? access.creates(who)
                     : target.update ? access.updates(who)
                                     : access.removes(who);
    if (!may) return Error{Code::table_forbidden, "You may not do this with " + name};
    for (const Column& column : target.entity->columns) {
        if (caller.is(column.readers)) continue;
        return Error{Code::field_forbidden,
                     "You may not read all of " + name + ", so it is written by /api/v1/" +
                         (target.entity->external ? "ext/" : "") + name + " alone."};
    }
    return target;
}

std::optional<Error> check_column(const Target& target, const SqlToken& token,
                                  const Caller& caller) {
    const auto& columns = target.entity->columns;
    const auto column = std::ranges::find(columns, token.text, &Column::name);
    if (!token.names() || column == columns.end())
        return unknown_column(*target.entity, token.text);
    // Whose rows may be made is the policies' business.
    const bool owner = write::stamped(*target.entity, token.text);
    if (owner && target.insert) return std::nullopt;
    if (caller.is(target.insert ? column->creators : column->updaters)) return std::nullopt;
    return Error{Code::field_forbidden, "You may not send " + token.text + '.', token.text};
}

// Names from `at` on up to the parenthesis that closes; moves behind it.
std::optional<Error> check_list(const Target& target, const Tokens& tokens, std::size_t& at,
                                const Caller& caller) {
    for (; at < tokens.size(); at += 2) {
        if (auto error = check_column(target, tokens[at], caller)) return error;
        if (at + 1 < tokens.size() && tokens[at + 1].is(')')) {
            at += 2;
            return std::nullopt;
        }
        if (at + 1 < tokens.size() && !tokens[at + 1].is(',')) break;
    }
    return bad_params("A list of columns holds their names alone.");
}

// Where a column is set: behind SET and behind each comma that is in no parenthesis.
std::optional<Error> check_sets(const Target& target, const Tokens& tokens, std::size_t at,
                                const Caller& caller) {
    int depth = 0;
    bool column = true;
    for (; at < tokens.size(); ++at) {
        const SqlToken& token = tokens[at];
        if (column) {
            column = false;
            if (token.is('(')) {
                if (auto error = check_list(target, tokens, ++at, caller)) return error;
                --at;
                continue;
            }
            if (auto error = check_column(target, token, caller)) return error;
            continue;
        }
        if (token.is('(') || token.is('[')) ++depth;
        if (token.is(')') || token.is(']')) --depth;
        if (depth == 0 && is_any(token, {"where", "returning"})) return std::nullopt;
        column = depth == 0 && token.is(',');
    }
    return std::nullopt;
}

std::optional<Error> check_written(const Target& target, const Tokens& tokens,
                                   const Caller& caller) {
    std::size_t at = target.at + 1;
    if (target.insert) {
        if (at == tokens.size() || !tokens[at].is('(')) {
            return bad_params("INSERT names its columns: insert into " +
                              std::string(target.entity->name) + " (…) …");
        }
        return check_list(target, tokens, ++at, caller);
    }
    if (!target.update) return std::nullopt;
    // Before SET stands an alias at most, which behind AS may be called so itself.
    const bool as = at < tokens.size() && tokens[at].is("as");
    const bool bare = at < tokens.size() && tokens[at].is("set");
    at += as ? 2 : bare ? 0 : 1;
    if (at < tokens.size() && tokens[at].is("set")) {
        return check_sets(target, tokens, at + 1, caller);
    }
    return bad_params("UPDATE is followed by a table and SET.");
}

std::optional<Error> check_single(const Tokens& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (is_any(tokens[i], {"insert", "update", "delete", "merge"})) {
            return bad_params("One table is written at a time.");
        }
        if (tokens[i].is("conflict") && tokens[i - 1].is("on")) {
            return bad_params("ON CONFLICT is POST /api/v1/<table>?onConflict=….");
        }
    }
    return std::nullopt;
}

}  // namespace

Result<GuardedSql> guard_exec(std::string_view sql, const App& app, const Caller& caller) {
    const auto tokens = sql_tokens(sql);
    if (!tokens) return tokens.error();
    if (!is_any(tokens->front(), {"insert", "update", "delete"})) {
        return bad_params("A statement that writes begins with INSERT, UPDATE or DELETE.");
    }
    const auto target = find_target(*tokens, app, caller);
    if (!target) return target.error();
    const std::size_t list = target->insert ? target->at + 1 : kNoToken;
    if (const auto error = check_tokens(*tokens, app, list)) return *error;
    if (const auto error = check_single(*tokens)) return *error;
    if (const auto error = check_written(*target, *tokens, caller)) return *error;
    const SqlToken& name = (*tokens)[target->at];
    const std::string_view whole = trimmed(sql, *tokens);
    return GuardedSql{tables(*tokens, app, caller) + std::string(whole.substr(0, name.at)) +
                      "public." + quoted_name(target->entity->name) +
                      std::string(whole.substr(name.at + name.length))};
}

}  // namespace svc::data::sql
