// Columns of an entity as one caller may use them.
#pragma once

#include <string_view>

#include "http/error.hpp"
#include "identity/caller.hpp"
#include "svc/entity.hpp"

namespace svc::data {

struct Visible {
    ColumnSet columns;
    bool all = true;
};
Visible visible_columns(const Entity& entity, PrincipalSet principals);

// The column of this name that the caller may read, or null. One that they may not read does not
// exist for them.
const Column* readable_column(const Entity& entity, const ColumnSet& visible,
                              std::string_view name);

// The link with this name, or the link of the ref with this name. Null if there is none.
const Link* find_link(const Entity& entity, std::string_view name);

Error unknown_column(const Entity& entity, std::string_view name);  // 400, 42703

// The name as SQL quotes it. Names come only from compiled tables.
std::string quoted_name(std::string_view identifier);

// The relation that lists and aggregates read, used only in the server's own SQL. For rows of
// another database it is a view that lets that database sort, limit and count.
std::string listed_rows(const Entity& entity);

}  // namespace svc::data
