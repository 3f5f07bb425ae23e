#include "data/columns.hpp"

#include <algorithm>

#include "base/sql_state.hpp"

namespace svc::data {

Visible visible_columns(const Entity& entity, PrincipalSet principals) {
    Visible visible;
    for (unsigned i = 0; i < entity.columns.size(); ++i) {
        if ((entity.columns[i].readers & principals) != 0) {
            visible.columns.add(i);
        } else {
            visible.all = false;
        }
    }
    return visible;
}

const Column* readable_column(const Entity& entity, const ColumnSet& visible,
                              std::string_view name) {
    for (unsigned i = 0; i < entity.columns.size(); ++i) {
        if (entity.columns[i].name == name) return visible[i] ? &entity.columns[i] : nullptr;
    }
    return nullptr;
}

const Link* find_link(const Entity& entity, std::string_view name) {
    const auto found = std::ranges::find_if(entity.links, [&](const Link& link) {
        const bool ref = link.kind == Link::one && entity.columns[link.column].name == name;
        return ref || link.name == name;
    });
    return found == entity.links.end() ? nullptr : &*found;
}

Error unknown_column(const Entity& entity, std::string_view name) {
    Error error;
    error.code = Code::params_invalid;
    error.sqlstate = base::sqlstate::kNoColumn;
    error.field = name;
    error.message = std::string(entity.name) + " has no field " + error.field + ".";
    return error;
}

std::string quoted_name(std::string_view identifier) { return '"' + std::string(identifier) + '"'; }

std::string listed_rows(const Entity& entity) {
    const std::string name(entity.name);
    return entity.external ? "svc." + quoted_name(name + "_rows") : "public." + quoted_name(name);
}

}  // namespace svc::data
