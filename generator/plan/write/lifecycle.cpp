#include "plan/write/lifecycle.hpp"

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/table/tables.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Model;
using model::Transition;

std::string assignments(const Entity& entity, const Transition& transition, const Scope& scope) {
    std::string out =
        ident(entity.fields[entity.lifecycle->field].name) + " = " + literal(transition.to);
    for (const auto& [field, value] : transition.set) {
        out += ", " + ident(entity.fields[field].name) + " = " + sql_value(*value, scope);
    }
    return out;
}

std::string refuse(const std::string& message, const std::string& field) {
    std::string out = "            " + raise(base::sqlstate::kTransition, message, "");
    out.insert(out.rfind(';'), ", detail = _r." + field);
    return out + "        end if;\n";
}

// The transition's name in the change record; set only while its own update runs.
std::string named(const std::string& transition) {
    return "perform set_config('svc.transition', " + literal(transition) + ", true);\n";
}

std::string not_theirs(const Transition& transition) {
    const std::string who = acts_as(transition.by);
    if (!transition.by.empty() && who.empty()) return {};
    return "        if not " + (transition.by.empty() ? "false" : who) + " then\n            " +
           raise(base::sqlstate::kRowForbidden,
                 literal("You may not make the transition \"" + transition.name + "\"."), "") +
           "        end if;\n";
}

// `by` is asked of callers; the system makes every move that its row allows.
std::string branch(const Model& model, const Entity& entity, const Transition& transition,
                   bool of_callers) {
    const Scope scope{model, "_r.", "_r.", "_r.", "_r."};
    const std::string& name = entity.fields[entity.lifecycle->field].name;
    const std::string field = ident(name);
    std::string out = "    when " + literal(transition.name) + " then\n";
    if (of_callers) out += not_theirs(transition);
    out += "        if _r." + field + " not in (" + state_list(transition) + ") then\n" +
           refuse(literal("The transition \"" + transition.name + "\" is not possible while " +
                          name + " is ") +
                      " || _r." + field + " || '.'",
                  field);
    if (transition.condition) {
        out += "        if (" + sql_true(*transition.condition, scope) + ") is not true then\n" +
               refuse(literal(transition.refusal), field);
    }
    return out + "        " + named(transition.name) + "        update " + table(entity.name) +
           " set " + assignments(entity, transition, scope) +
           " where id = _r.id returning * into _r;\n";
}

// The row is locked by then, so what it says holds until the end.
std::string stale_check(const Entity& entity) {
    return "    if _versions is not null and not exists (select from " + table(entity.name) +
           " t where t.id = _id and " + row_version("t.") + " = any (_versions)) then\n        " +
           raise(base::sqlstate::kStale, literal("The row has changed."), "") + "    end if;\n";
}

std::string branches(const Model& model, const Entity& entity, bool of_callers) {
    if (entity.lifecycle->transitions.empty()) return {};
    std::string out = "    case _transition\n";
    for (const Transition& transition : entity.lifecycle->transitions)
        out += branch(model, entity, transition, of_callers);
    return out + "    end case;\n    " + named("") + "    return next _r;\n";
}

std::string declared(const Entity& entity) {
    return "declare\n    _r " + table(entity.name) + ";\nbegin\n    select * into _r from " +
           table(entity.name) + " where id = _id for update;\n    if not found";
}

}  // namespace

std::string state_list(const Transition& transition) {
    std::string out;
    for (const std::string& state : transition.from) {
        out += (out.empty() ? "" : ", ") + literal(state);
    }
    return out;
}

std::string transition_function_name(const Entity& entity) { return entity.name + "_transition"; }

std::string move_function_name(const Entity& entity) { return entity.name + "_move"; }

// Runs with its writer's rights, and the owner alone may call it.
Routine plan_moves(const Model& model, const Entity& entity) {
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = move_function_name(entity);
    const std::string name = "svc." + ident(out.name);
    const std::string signature = name + "(uuid, text)";
    out.create = "create function " + name + "(_id uuid, _transition text) returns setof " +
                 table(entity.name) + "\nlanguage plpgsql\n" + kSafePath + " as " +
                 dollar_quoted(declared(entity) + " then\n        return;\n    end if;\n" +
                               branches(model, entity, false) + "end\n") +
                 ";\nrevoke all on function " + signature + " from public";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

Routine plan_transitions(const Model& model, const Entity& entity) {
    const Scope scope{model, "_r.", "_r."};
    const std::string body = declared(entity) + "\n        or (" +
                             access_predicate(model, entity, Operation::read, scope) +
                             ") is not true then\n        return;\n    end if;\n" +
                             stale_check(entity) + branches(model, entity, true) + "end\n";

    Routine out;
    out.kind = Routine::Kind::function;
    out.name = transition_function_name(entity);
    const std::string name = "svc." + ident(out.name);
    const std::string signature = name + "(uuid, text, text[])";
    out.create = "create function " + name +
                 "(_id uuid, _transition text, _versions text[] default null) returns setof " +
                 table(entity.name) + "\nlanguage plpgsql security definer\n" + kSafePath + " as " +
                 dollar_quoted(body) + ";\nrevoke all on function " + signature +
                 " from public;\n" + "grant execute on function " + signature + " to :data_role";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

}  // namespace svc::plan
