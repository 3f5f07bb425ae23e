#include "plan/lifecycle.hpp"

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql_expr.hpp"
#include "plan/tables.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Model;
using model::Transition;

std::string state_list(const Transition& transition) {
    std::string out;
    for (const std::string& state : transition.from) {
        out += (out.empty() ? "" : ", ") + literal(state);
    }
    return out;
}

std::string assignments(const Entity& entity, const Transition& transition, const Scope& scope) {
    std::string out =
        ident(entity.fields[entity.lifecycle->field].name) + " = " + literal(transition.to);
    for (const auto& [field, value] : transition.set) {
        out += ", " + ident(entity.fields[field].name) + " = " + sql_value(*value, scope);
    }
    return out;
}

std::string refuse(const std::string& message, const std::string& field) {
    return "            raise exception using errcode = 'SV409', message = " + message +
           ", detail = _r." + field + ";\n        end if;\n";
}

// What the change record calls it; only while its own update runs.
std::string named(const std::string& transition) {
    return "perform set_config('svc.transition', " + literal(transition) + ", true);\n";
}

std::string branch(const Model& model, const Entity& entity, const Transition& transition) {
    const Scope scope{model, "_r.", "_r.", "_r.", "_r."};
    const std::string& name = entity.fields[entity.lifecycle->field].name;
    const std::string field = ident(name);
    const std::string who = acts_as(transition.by);
    std::string out = "    when " + literal(transition.name) + " then\n";
    if (transition.by.empty() || !who.empty()) {
        out += "        if not " + (transition.by.empty() ? "false" : who) +
               " then\n            raise exception using errcode = 'SV403', message = " +
               literal("\"" + transition.name + "\" is not yours to do.") + ";\n        end if;\n";
    }
    out += "        if _r." + field + " not in (" + state_list(transition) + ") then\n" +
           refuse(literal("\"" + transition.name + "\" is not possible while " + name + " is ") +
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
           " t where t.id = _id and " + row_version("t.") +
           " = any (_versions)) then\n        raise exception using errcode = 'SV412', message = "
           "'The row has changed.';\n    end if;\n";
}

}  // namespace

std::string transition_function_name(const Entity& entity) { return entity.name + "_transition"; }

Routine plan_transitions(const Model& model, const Entity& entity) {
    const Scope scope{model, "_r.", "_r."};
    std::string body = "declare\n    _r " + table(entity.name) +
                       ";\nbegin\n    select * into _r from " + table(entity.name) +
                       " where id = _id for update;\n    if not found\n        or (" +
                       access_predicate(model, entity, Operation::read, scope) +
                       ") is not true then\n        return;\n    end if;\n" + stale_check(entity);
    if (!entity.lifecycle->transitions.empty()) {
        body += "    case _transition\n";
        for (const Transition& transition : entity.lifecycle->transitions) {
            body += branch(model, entity, transition);
        }
        body += "    end case;\n    " + named("") + "    return next _r;\n";
    }
    body += "end\n";

    Routine out;
    out.kind = "function";
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
