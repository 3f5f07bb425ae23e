// The objects that a plan wants, in the order in which they are made.
#include "migrate/diff/diff.hpp"
#include "migrate/diff/holes.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

constexpr std::string_view kPlaceholder = ":data_role";

ObjectKind kind_of(plan::Routine::Kind kind) {
    using Kind = plan::Routine::Kind;
    switch (kind) {
        case Kind::function:
            return ObjectKind::function;
        case Kind::trigger:
            return ObjectKind::trigger;
        case Kind::policy:
            return ObjectKind::policy;
        case Kind::grant:
            return ObjectKind::grant;
        case Kind::sequence:
            return ObjectKind::sequence;
        case Kind::words:
            return ObjectKind::words;
        case Kind::foreign:
            return ObjectKind::foreign;
        case Kind::view:
            return ObjectKind::view;
    }
    return ObjectKind::function;
}

void add_constraints(const plan::Plan& plan, bool foreign, std::vector<Object>& out) {
    for (const auto& table : plan.tables) {
        for (const auto& object : table.constraints) {
            const bool is_foreign = object.sql.find("foreign key") != std::string::npos;
            if (is_foreign != foreign) continue;
            out.push_back({{ObjectKind::constraint, table.name + "." + object.name},
                           table.name,
                           object.sql,
                           "alter table if exists " + plan::table(table.name) +
                               " drop constraint if exists " + plan::ident(object.name),
                           object.path,
                           true});
        }
    }
}

void add_indexes(const plan::Plan& plan, std::vector<Object>& out) {
    for (const auto& table : plan.tables) {
        for (const auto& object : table.indexes) {
            out.push_back({{ObjectKind::index, object.name},
                           table.name,
                           object.sql,
                           "drop index if exists " + plan::table(object.name),
                           object.path,
                           object.sql.starts_with("create unique")});
        }
    }
}

void add_routines(const plan::Plan& plan, bool sequences, std::vector<Object>& out) {
    for (const auto& routine : plan.routines) {
        if ((routine.kind == plan::Routine::Kind::sequence) != sequences) continue;
        std::string path = routine.path;
        for (const auto& table : plan.tables) {
            if (table.name == routine.table) path = table.path;
        }
        out.push_back({{kind_of(routine.kind), routine.name},
                       routine.table,
                       routine.create,
                       routine.drop,
                       path,
                       false,
                       routine.fill});
    }
}

}  // namespace

std::vector<Object> objects_of(const plan::Plan& plan, const std::string& data_role) {
    std::vector<Object> objects;
    add_routines(plan, true, objects);
    add_constraints(plan, false, objects);
    add_constraints(plan, true, objects);
    add_indexes(plan, objects);
    add_routines(plan, false, objects);
    for (Object& object : objects) {
        object.create = fill_placeholder(object.create, kPlaceholder, data_role);
        object.drop = fill_placeholder(object.drop, kPlaceholder, data_role);
    }
    return objects;
}

}  // namespace svc::migrate
