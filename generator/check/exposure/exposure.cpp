#include "check/exposure/exposure.hpp"

#include <algorithm>
#include <utility>

#include "check/exposure/exposure_accounts.hpp"
#include "check/meaning.hpp"
#include "check/rows.hpp"
#include "model/names.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Model;
using plan::Operation;
using plan::PrincipalBits;

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

struct Kind {
    Act act;
    Operation operation;
    PrincipalBits plan::ServedColumn::*mask;  // null: no fields
};

constexpr Kind kKinds[] = {
    {Act::read, Operation::read, &plan::ServedColumn::readers},
    {Act::create, Operation::create, &plan::ServedColumn::creators},
    {Act::update, Operation::update, &plan::ServedColumn::updaters},
    {Act::remove, Operation::remove, nullptr},
};

Cell cell(const Model& model, const Entity& entity, const plan::ServedEntity& served,
          const KnownCaller& known, const Kind& kind) {
    const Rows rows(model, known);
    Cell out;
    out.operation.act = kind.act;
    out.rows = simplified(rows.reached(entity, kind.operation, ""));
    if (out.rows.is_no()) return out;
    out.meaning = meaning(model, entity, kind.operation, known);
    out.follows = follows(model, entity, kind.operation);
    for (const plan::ServedColumn& column : served.columns) {
        if (kind.mask == nullptr || !rows.is_meant(column.*kind.mask)) continue;
        Formula where = kind.operation == Operation::update
                            ? rows.changed(entity, column.name, out.rows)
                            : out.rows;
        if (!where.is_no()) out.fields.push_back({column.name, std::move(where)});
    }
    return out;
}

Formula in_states(const Entity& entity, const std::vector<std::string>& states) {
    const std::string& field = entity.fields[entity.lifecycle->field].name;
    Formula out = always(false);
    for (const std::string& state : states) out = either(out, equals(field, state));
    return out;
}

Cell transition(const Model& model, const Entity& entity, const KnownCaller& known,
                const model::Transition& move) {
    const Rows rows(model, known);
    Cell out;
    out.operation = {Act::transition, move.name};
    out.rows = always(false);
    if (!rows.is_meant(plan::bits(model, move.by))) return out;
    const Formula ready = both(in_states(entity, move.from), rows.holds(move.condition, ""));
    out.rows = simplified(both(rows.allowed(entity, Operation::read, ""), ready));
    if (out.rows.is_no()) return out;
    out.meaning = meaning(model, entity, Operation::read, known);
    add_meaning(model, move.condition, out.meaning);
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

// Members have separate cells only if the entity names roles; otherwise those of their persona
// hold.
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
                           const plan::ServedEntity& served, const KnownCaller& known) {
    std::vector<Cell> cells;
    for (const Kind& kind : kKinds) cells.push_back(cell(model, entity, served, known, kind));
    if (!entity.lifecycle) return cells;
    for (const model::Transition& move : entity.lifecycle->transitions) {
        cells.push_back(transition(model, entity, known, move));
    }
    return cells;
}

EntityExposure expose(const Model& model, const Entity& entity, const plan::ServedEntity& served,
                      const std::vector<KnownCaller>& all) {
    EntityExposure out;
    out.name = entity.name;
    for (const plan::ServedColumn& column : served.columns) out.fields.push_back(column.name);
    const bool with_members = speaks_of_roles(model, entity);
    for (const KnownCaller& known : all) {
        const bool as_persona = !known.caller.persona.empty() && !with_members;
        out.cells.push_back(as_persona ? std::vector<Cell>{}
                                       : cells_of(model, entity, served, known));
    }
    return out;
}

// A member whose persona may as well is not named beside it.
RunExposure run(RunExposure::Kind kind, const std::string& name, PrincipalBits allow,
                const std::vector<KnownCaller>& all) {
    RunExposure out{.kind = kind, .name = name, .callers = {}};
    for (const KnownCaller& known : all) {
        const bool as_persona =
            std::count(out.callers.begin(), out.callers.end(), known.caller.persona) > 0;
        if ((known.bits & allow) != 0 && !as_persona) out.callers.push_back(known.caller.name);
    }
    return out;
}

std::vector<RunExposure> runs(const Model& model, const plan::Plan& plan,
                              const std::vector<KnownCaller>& all) {
    std::vector<RunExposure> out;
    for (const plan::Query& query : plan.queries) {
        out.push_back(run(RunExposure::Kind::query, query.name, query.allow, all));
        out.back().sql = query.sql;
        const auto at = model::find_query(model, query.name);
        out.back().steps = at && model.queries[*at].workflow;
    }
    for (const model::Function& function : model.flows.functions) {
        out.push_back(run(RunExposure::Kind::function, function.name,
                          plan::bits(model, function.allow), all));
    }
    return out;
}

}  // namespace

std::string Doing::words() const {
    return std::string(base::word(act)) + (transition.empty() ? "" : " " + transition);
}

Exposure exposure(const Model& model, const plan::Plan& plan) {
    Exposure out;
    const std::vector<KnownCaller> all = callers(model);
    for (const KnownCaller& known : all) out.callers.push_back(known.caller);
    for (const Entity& entity : model.entities) {
        const auto served =
            std::find_if(plan.entities.begin(), plan.entities.end(),
                         [&](const auto& other) { return other.name == entity.name; });
        if (served == plan.entities.end()) continue;
        out.entities.push_back(expose(model, entity, *served, all));
    }
    out.runs = runs(model, plan, all);
    out.accounts = accounts(model);
    return out;
}

}  // namespace svc::check
