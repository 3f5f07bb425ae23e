#include "check/exposure.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/condition.hpp"
#include "plan/access.hpp"
#include "plan/principals.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Model;
using plan::Operation;
using plan::PrincipalBits;

struct Known {
    Caller caller;
    PrincipalBits bits = 0;
    KnownUser user;
};

Known persona_caller(const Model& model, const model::Persona& persona) {
    const bool staff = persona.kind == model::PersonaKind::staff;
    Known known{{persona.id, staff ? "staff" : "consumer", {}, {}}, 0, {}};
    known.caller.extends.assign(persona.acts_as.begin() + 1, persona.acts_as.end());
    known.bits = plan::all_bits(model, persona);
    known.user = {true, !model.org_roles.empty(), persona.id};
    return known;
}

// Somebody who acts in an organisation: his persona and his role together.
Known member(const Known& persona, const std::string& role, PrincipalBits bits) {
    Known known = persona;
    known.caller.name += " as org:" + role;
    known.caller.kind = "member";
    known.caller.persona = persona.caller.name;
    known.caller.extends.insert(known.caller.extends.begin(), persona.caller.name);
    known.caller.extends.push_back("org:" + role);
    known.bits |= bits;
    return known;
}

std::vector<Known> callers(const Model& model) {
    using Kind = model::Principal::Kind;
    const auto one = [&](Kind kind, const std::string& name) {
        return plan::bits(model, model::Principal{kind, name});
    };
    std::vector<Known> out;
    out.push_back({{"guest", "guest", {}, {}}, one(Kind::guest, ""), {false, false, {}}});
    std::vector<Known> members;
    for (const model::Persona& persona : model.personas) {
        out.push_back(persona_caller(model, persona));
        for (const std::string& role : model.org_roles) {
            members.push_back(member(out.back(), role, one(Kind::org_role, role)));
        }
    }
    // What the role alone gives, whatever the member's persona is.
    for (const std::string& role : model.org_roles) {
        out.push_back({{"org:" + role, "org role", {}, {}},
                       one(Kind::org_role, role) | one(Kind::signed_in, ""),
                       {true, true, {}}});
    }
    std::move(members.begin(), members.end(), std::back_inserter(out));
    out.push_back({{"server", "server", {}, {}}, plan::kServerBit, {false, true, {}}});
    return out;
}

// The rows of one entity for one caller. It says what access_predicate() in plan/access.cpp says.
class Rows {
  public:
    Rows(const Model& model, const Known& known) : model_(model), known_(known) {}

    Formula allowed(const Entity& entity, Operation operation, const std::string& prefix) const;
    // Allowed, and on a row that can be seen: what cannot be read cannot be written to.
    Formula reached(const Entity& entity, Operation operation, const std::string& prefix) const {
        const Formula out = allowed(entity, operation, prefix);
        const bool needs_read = operation == Operation::update || operation == Operation::remove;
        if (!needs_read || out.is_no()) return out;
        return both(allowed(entity, Operation::read, prefix), out);
    }
    Formula granted(const std::vector<model::Grant>& grants, const std::string& prefix) const;
    bool is_meant(PrincipalBits who) const { return (who & known_.bits) != 0; }
    Formula holds(const model::ExprPtr& expr, const std::string& prefix) const {
        return condition(model_, expr, &known_.user, prefix);
    }

  private:
    Formula parent(const Entity& entity, Operation operation, const std::string& prefix) const;

    const Model& model_;
    const Known& known_;
};

Formula Rows::granted(const std::vector<model::Grant>& grants, const std::string& prefix) const {
    Formula out = always(false);
    for (const model::Grant& grant : grants) {
        if (is_meant(plan::bits(model_, grant.to)))
            out = either(out, holds(grant.condition, prefix));
    }
    return out;
}

std::string walked(std::string field) {
    if (field.ends_with("_id")) field.resize(field.size() - 3);
    return field;
}

Formula Rows::parent(const Entity& entity, Operation operation, const std::string& prefix) const {
    const model::Field& link = entity.fields[*entity.access.same_as];
    const Entity& above = model_.entities[link.ref_entity];
    const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
    const Formula out = reached(above, needed, prefix + walked(link.name) + ".");
    if (link.required || out.is_no()) return out;
    const std::string name = prefix + link.name;
    return both(
        opposite(test({name + " == null", name + " != null", Atom::Is::null, name, {}, {}, false})),
        out);
}

Formula Rows::allowed(const Entity& entity, Operation operation, const std::string& prefix) const {
    Formula out = granted(plan::grants(entity, operation), prefix);
    if (entity.access.same_as) out = either(parent(entity, operation, prefix), out);
    return both(out, opposite(granted(plan::denied(entity.access, operation), prefix)));
}

std::vector<std::string> follows(const Model& model, const Entity& entity, Operation operation) {
    std::vector<std::string> out;
    const char* needed = operation == Operation::read ? "read" : "update";
    for (const Entity* at = &entity; at->access.same_as;) {
        const model::Field& link = at->fields[*at->access.same_as];
        at = &model.entities[link.ref_entity];
        out.push_back(link.name + " (" + needed + " of " + at->name + ")");
    }
    return out;
}

// Grants that allow some fields only: the guard in plan/triggers.cpp holds them.
Formula field_rows(const Rows& rows, const Entity& entity, const std::string& column,
                   const Formula& all) {
    const auto grants = plan::grants(entity, Operation::update);
    const bool limited = std::any_of(grants.begin(), grants.end(),
                                     [](const auto& grant) { return !grant.fields.empty(); });
    if (!limited) return all;
    std::vector<model::Grant> free;
    for (const model::Grant& grant : grants) {
        const auto names = [&](std::size_t field) { return entity.fields[field].name == column; };
        if (grant.fields.empty() || std::any_of(grant.fields.begin(), grant.fields.end(), names)) {
            free.push_back(grant);
        }
    }
    return simplified(both(all, rows.granted(free, "")));
}

struct Kind {
    const char* word;
    Operation operation;
    PrincipalBits plan::ServedColumn::*mask;  // null: no fields
};

constexpr Kind kKinds[] = {
    {"read", Operation::read, &plan::ServedColumn::readers},
    {"create", Operation::create, &plan::ServedColumn::creators},
    {"update", Operation::update, &plan::ServedColumn::updaters},
    {"delete", Operation::remove, nullptr},
};

Cell cell(const Model& model, const Entity& entity, const plan::ServedEntity& served,
          const Rows& rows, const Kind& kind) {
    Cell out;
    out.operation = kind.word;
    out.rows = simplified(rows.reached(entity, kind.operation, ""));
    if (out.rows.is_no()) return out;
    out.follows = follows(model, entity, kind.operation);
    for (const plan::ServedColumn& column : served.columns) {
        if (kind.mask == nullptr || !rows.is_meant(column.*kind.mask)) continue;
        Formula where = kind.operation == Operation::update
                            ? field_rows(rows, entity, column.name, out.rows)
                            : out.rows;
        if (!where.is_no()) out.fields.push_back({column.name, std::move(where)});
    }
    return out;
}

Formula in_states(const Entity& entity, const std::vector<std::string>& states) {
    const std::string& field = entity.fields[entity.lifecycle->field].name;
    Formula out = always(false);
    for (const std::string& state : states) {
        const std::string shown = quoted(state);
        out = either(out, test({field + " == " + shown, field + " != " + shown, Atom::Is::equal,
                                field, state, shown, false}));
    }
    return out;
}

Cell transition(const Model& model, const Entity& entity, const Rows& rows,
                const model::Transition& move) {
    Cell out;
    out.operation = "transition " + move.name;
    out.rows = always(false);
    if (!rows.is_meant(plan::bits(model, move.by))) return out;
    const Formula ready = both(in_states(entity, move.from), rows.holds(move.condition, ""));
    out.rows = simplified(both(rows.allowed(entity, Operation::read, ""), ready));
    if (out.rows.is_no()) return out;
    out.effect = "to " + move.to;
    for (const auto& [field, value] : move.set) {
        out.effect +=
            ", sets " + entity.fields[field].name + " = " + expression_text(model, *value);
    }
    return out;
}

bool names_role(const model::Principal& principal) {
    return principal.kind == model::Principal::Kind::org_role;
}

// Members have cells of their own only where roles are spoken of: elsewhere they are their persona.
bool speaks_of_roles(const Model& model, const Entity& entity) {
    const model::Access& access = entity.access;
    for (const auto* grants :
         {&access.read, &access.create, &access.update, &access.remove, &access.deny.read,
          &access.deny.create, &access.deny.update, &access.deny.remove}) {
        const auto names = [](const model::Grant& grant) { return names_role(grant.to); };
        if (std::any_of(grants->begin(), grants->end(), names)) return true;
    }
    if (entity.lifecycle) {
        for (const model::Transition& move : entity.lifecycle->transitions) {
            if (std::any_of(move.by.begin(), move.by.end(), names_role)) return true;
        }
    }
    return access.same_as &&
           speaks_of_roles(model, model.entities[entity.fields[*access.same_as].ref_entity]);
}

std::vector<Cell> cells_of(const Model& model, const Entity& entity,
                           const plan::ServedEntity& served, const Known& known) {
    const Rows rows(model, known);
    std::vector<Cell> cells;
    for (const Kind& kind : kKinds) cells.push_back(cell(model, entity, served, rows, kind));
    if (!entity.lifecycle) return cells;
    for (const model::Transition& move : entity.lifecycle->transitions) {
        cells.push_back(transition(model, entity, rows, move));
    }
    return cells;
}

EntityExposure expose(const Model& model, const Entity& entity, const plan::ServedEntity& served,
                      const std::vector<Known>& all) {
    EntityExposure out;
    out.name = entity.name;
    for (const plan::ServedColumn& column : served.columns) out.fields.push_back(column.name);
    const bool with_members = speaks_of_roles(model, entity);
    for (const Known& known : all) {
        const bool as_persona = !known.caller.persona.empty() && !with_members;
        out.cells.push_back(as_persona ? std::vector<Cell>{}
                                       : cells_of(model, entity, served, known));
    }
    return out;
}

}  // namespace

Exposure exposure(const Model& model, const plan::Plan& plan) {
    Exposure out;
    const std::vector<Known> all = callers(model);
    for (const Known& known : all) out.callers.push_back(known.caller);
    for (const Entity& entity : model.entities) {
        const auto served =
            std::find_if(plan.entities.begin(), plan.entities.end(),
                         [&](const auto& other) { return other.name == entity.name; });
        if (served == plan.entities.end()) continue;
        out.entities.push_back(expose(model, entity, *served, all));
    }
    return out;
}

}  // namespace svc::check
