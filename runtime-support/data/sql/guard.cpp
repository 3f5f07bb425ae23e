#include "data/sql/guard.hpp"

#include <algorithm>
#include <optional>

#include "base/sql_state.hpp"
#include "data/columns.hpp"
#include "data/write/write_body.hpp"

namespace svc::data::sql {

namespace {

using Kind = Reading::Kind;

bool is_column(const App& app, std::string_view name) {
    return std::ranges::any_of(app.entities, [&](const Entity* entity) {
        return std::ranges::find(entity->columns, name, &Column::name) != entity->columns.end();
    });
}

// A name after a dot may be a function in PostgreSQL's eyes, so it is one of a column.
std::optional<Error> check_columns(const Reading& reading, const App& app) {
    for (const std::string& name : reading.columns) {
        if (is_column(app, name)) continue;
        Error error = bad_params("No table of the app has the column " + name +
                                 ", and the statement does not define a column with this name.");
        error.sqlstate = base::sqlstate::kNoColumn;
        return error;
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

// A common table expression for each table that is read: it stands before the table itself.
std::string tables(const Reading& reading, const App& app, const Caller& caller) {
    std::string out;
    for (const Entity* entity : app.entities) {
        if (!reading.tables.contains(entity->name)) continue;
        const std::string name = quoted_name(entity->name);
        out += (out.empty() ? "with " : ", ") + name + " as not materialized (select " +
               readable_columns(*entity, caller) + " from public." + name + ")";
    }
    return out.empty() ? out : out + '\n';
}

std::optional<Error> check_target(const Entity& entity, Kind kind, const Caller& caller) {
    const Access& access = entity.access;
    const std::string name(entity.name);
    const PrincipalSet who = caller.principals;
    const bool may = kind == Kind::insert   ? access.creates(who)
                     : kind == Kind::update ? access.updates(who)
                                            : access.removes(who);
    if (!may)
        return Error{Code::table_forbidden, "You are not allowed to do this with " + name + '.'};
    for (const Column& column : entity.columns) {
        if (caller.is(column.readers)) continue;
        return Error{Code::field_forbidden, "You may not read all of " + name +
                                                ". Write its rows with /api/v1/" +
                                                (entity.external ? "ext/" : "") + name + " alone."};
    }
    return std::nullopt;
}

std::optional<Error> check_written(const Entity& entity, Kind kind, const std::string& name,
                                   const Caller& caller) {
    const auto column = std::ranges::find(entity.columns, name, &Column::name);
    if (column == entity.columns.end()) return unknown_column(entity, name);
    // Policies decide for which owner a row may be created.
    if (kind == Kind::insert && write::stamped(entity, name)) return std::nullopt;
    if (caller.is(kind == Kind::insert ? column->writers.create : column->writers.update))
        return std::nullopt;
    return Error{Code::field_forbidden, "You may not send " + name + '.', name};
}

bool has_column(const Entity& entity, std::string_view name) {
    return std::ranges::find(entity.columns, name, &Column::name) != entity.columns.end();
}

std::optional<Error> check_names(const Entity& entity, const Reading& reading) {
    for (const std::string& name : reading.of_target) {
        if (has_column(entity, name)) continue;
        Error error = bad_params(std::string(entity.name) + " has no column " + name +
                                 ". Write a column of another table as table.column.");
        error.sqlstate = base::sqlstate::kNoColumn;
        return error;
    }
    return std::nullopt;
}

// The statement from its target on, its star written out.
std::string written_out(const std::string& sql, const Reading& reading, const Entity& entity,
                        const Caller& caller) {
    const std::size_t at = reading.star_at;
    if (at == 0) return sql.substr(reading.target_at, reading.end - reading.target_at);
    return sql.substr(reading.target_at, at - reading.target_at) +
           readable_columns(entity, caller) + sql.substr(at + 1, reading.end - at - 1);
}

}  // namespace

Result<GuardedSql> guard_query(const std::string& sql, const Reading& reading, const App& app,
                               const Caller& caller, std::size_t limit) {
    if (reading.kind != Kind::query)
        return bad_params("A query must begin with SELECT, WITH, VALUES or TABLE.");
    if (auto error = check_columns(reading, app)) return *error;
    // In a subselect nothing can be written, locked for long or put elsewhere.
    return GuardedSql{tables(reading, app, caller) + "select * from (\n" +
                      sql.substr(reading.begin, reading.end - reading.begin) +
                      "\n) as svc_result limit " + std::to_string(limit + 1)};
}

Result<GuardedSql> guard_exec(const std::string& sql, const Reading& reading, const App& app,
                              const Caller& caller) {
    if (reading.kind == Kind::query)
        return bad_params("A statement that writes must begin with INSERT, UPDATE or DELETE.");
    const Entity* entity = app.entity(reading.target);
    if (!entity)
        return bad_params(
            "A statement that writes must name a table of the app after INSERT INTO, UPDATE or "
            "DELETE FROM.");
    if (auto error = check_target(*entity, reading.kind, caller)) return *error;
    if (auto error = check_columns(reading, app)) return *error;
    if (auto error = check_names(*entity, reading)) return *error;
    for (const std::string& name : reading.written)
        if (auto error = check_written(*entity, reading.kind, name, caller)) return *error;
    // The name of a common table expression can be no target.
    return GuardedSql{tables(reading, app, caller) +
                      sql.substr(reading.begin, reading.target_at - reading.begin) + "public." +
                      written_out(sql, reading, *entity, caller)};
}

}  // namespace svc::data::sql
