#include "plan/triggers.hpp"

#include <algorithm>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql_expr.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;
using model::Rule;

// "The table's owner is writing": the compiler's own functions and seeds, which may set what others
// may not.
constexpr const char* kNotOwner =
    "current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid)";

// The write comes from the role that policies hold for. Asked in the trigger's own condition, where
// current_user is whoever writes: within the compiler's functions that is the owner, past all
// policies.
constexpr const char* kByCaller = "format('\"%s\"', current_user) = ':data_role'";

std::string raise(const char* code, const std::string& message, const std::string& column) {
    std::string out =
        "raise exception using errcode = '" + std::string(code) + "', message = " + message;
    if (!column.empty()) out += ", column = " + literal(column);
    return out + ";\n";
}

std::string keep(const std::string& column, const std::string& condition) {
    return "    if " + condition + "new." + ident(column) + " is distinct from old." +
           ident(column) + " then\n        " +
           raise("SV432", literal(column + " cannot be changed."), column) + "    end if;\n";
}

// Who owns a row is not for its writers to say.
constexpr const char* kNotServer = "not (select svc.acts_as('server'))";

std::string guard_update(const Entity& entity) {
    std::string body = keep("id", "");
    const std::string bound = std::string(kNotOwner) + "\n            and " + kNotServer + " and ";
    if (entity.owner.user) body += keep("user_id", bound);
    if (entity.owner.org) body += keep("org_id", bound);
    for (const Field& field : entity.fields) {
        if (field.immutable) body += keep(field.name, "");
    }
    if (entity.lifecycle) {
        body += keep(entity.fields[entity.lifecycle->field].name,
                     std::string(kNotOwner) + "\n            and ");
    }
    return body;
}

// Where every grant that fits the row allows some fields only, the others must stay as they are.
std::string limited_fields(const Model& model, const Entity& entity) {
    const std::vector<model::Grant> all = grants(entity, Operation::update);
    const bool limited = std::any_of(
        all.begin(), all.end(), [](const model::Grant& grant) { return !grant.fields.empty(); });
    if (!limited) return {};
    const Scope before{model, "old.", "old."};
    const Scope after{model, "new.", "new."};
    std::string body;
    for (std::size_t i = 0; i < entity.fields.size(); ++i) {
        std::string allowed;
        for (const model::Grant& grant : all) {
            const bool free =
                grant.fields.empty() ||
                std::find(grant.fields.begin(), grant.fields.end(), i) != grant.fields.end();
            if (!free) continue;
            std::string who = acts_as({grant.to});
            if (who.empty()) who = "true";
            if (grant.condition) {
                who += " and " + sql_true(*grant.condition, before) + " and " +
                       sql_true(*grant.condition, after);
            }
            allowed += (allowed.empty() ? "(" : " or (") + who + ")";
        }
        const std::string name = entity.fields[i].name;
        body += "    if " + std::string(kNotOwner) + "\n            and new." + ident(name) +
                " is distinct from old." + ident(name) + "\n            and (" +
                (allowed.empty() ? "false" : allowed) + ") is not true then\n        " +
                raise("SV432", literal(name + " is not yours to change."), name) + "    end if;\n";
    }
    return body;
}

std::string guard_insert(const Entity& entity) {
    if (!entity.lifecycle) return {};
    const std::string field = entity.fields[entity.lifecycle->field].name;
    return "        if new." + ident(field) + " is distinct from " +
           literal(entity.lifecycle->initial) + "\n                and " + kNotOwner +
           " then\n            " +
           raise("SV432", literal(field + " begins as " + entity.lifecycle->initial + "."), field) +
           "        end if;\n";
}

std::string operations(const Rule& rule) {
    std::string out;
    if (rule.on_create) out += "'INSERT'";
    if (rule.on_update) out += out.empty() ? "'UPDATE'" : ", 'UPDATE'";
    if (rule.on_delete) out += out.empty() ? "'DELETE'" : ", 'DELETE'";
    return out;
}

std::string rule_body(const Model& model, const Entity& entity, const Rule& rule) {
    Scope scope{model, "new.", "new."};
    const std::string column = rule.field ? entity.fields[*rule.field].name : "";
    const std::string refused = sql_true(*rule.refuse, scope);
    scope.readable_only = true;  // a refusal tells nothing that its reader could not read
    const std::string message = sql_message(rule.message, scope);
    return "    if tg_op in (" + operations(rule) + ") then\n        if " + refused +
           " then\n            " + raise("SV422", message, column) +
           "        end if;\n    end if;\n";
}

// Rules come before policies in PostgreSQL's order of things. A row that the policies are going to
// refuse is left to them: a refusal by a rule would tell a stranger about rows that are not his.
// Whoever may act as the owner writes past policies, and meets the rules alone.
std::string policies_first(const Model& model, const Entity& entity, const std::string& when) {
    const Scope scope{model, "new.", "new."};
    std::string out;
    const auto leave = [&](const char* word, const char* event, Operation operation) {
        if (when.find(word) == std::string::npos) return;
        out += "    if tg_op = '" + std::string(event) +
               "' and tg_argv[0] = 'caller'\n            and (" +
               access_predicate(model, entity, operation, scope) +
               ") is not true then\n        return new;\n    end if;\n";
    };
    leave("insert", "INSERT", Operation::create);
    leave("update", "UPDATE", Operation::update);
    return out;
}

std::string fired_on(const std::vector<Rule>& rules) {
    std::string out;
    const auto add = [&](bool wanted, const char* word) {
        if (wanted) out += (out.empty() ? "" : " or ") + std::string(word);
    };
    const auto any = [&](bool Rule::*flag) {
        return std::any_of(rules.begin(), rules.end(),
                           [&](const Rule& rule) { return rule.*flag; });
    };
    add(any(&Rule::on_create), "insert");
    add(any(&Rule::on_update), "update");
    add(any(&Rule::on_delete), "delete");
    return out;
}

Routine trigger(const Entity& entity, const std::string& name, const std::string& when,
                const std::string& condition, const std::string& call) {
    Routine out;
    out.kind = "trigger";
    out.name = entity.name + "_" + name;
    out.table = entity.name;
    out.create = "create trigger " + ident(out.name) + " before " + when + " on " +
                 table(entity.name) + " for each row" +
                 (condition.empty() ? "" : "\n    when (" + condition + ")") +
                 "\n    execute function svc." + call;
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

Routine trigger_function(const Entity& entity, const std::string& purpose, const std::string& body,
                         bool definer) {
    Routine out;
    out.kind = "function";
    out.name = entity.name + "_" + purpose;
    const std::string name = "svc." + ident(out.name) + "()";
    out.create = "create function " + name + " returns trigger language plpgsql" +
                 (definer ? std::string(" security definer\n") + kSafePath : "") + " as " +
                 dollar_quoted("begin\n" + body + "end\n") + ";\nrevoke all on function " + name +
                 " from public";
    out.drop = "drop function if exists " + name + " cascade";
    return out;
}

}  // namespace

std::vector<Routine> plan_guard(const Model& model, const Entity& entity) {
    const std::string insert = guard_insert(entity);
    const std::string update = guard_update(entity) + limited_fields(model, entity) +
                               "    if new is distinct from old then\n        new.updated_at := "
                               "now();\n    end if;\n    return new;\n";
    std::string body = update;
    if (!insert.empty()) {
        body = "    if tg_op = 'INSERT' then\n" + insert + "        return new;\n    end if;\n" +
               update;
    }
    const Routine function = trigger_function(entity, "guard", body, false);
    const char* when = insert.empty() ? "update" : "insert or update";
    return {function, trigger(entity, "guard", when, "", ident(function.name) + "()")};
}

std::vector<Routine> plan_rules(const Model& model, const Entity& entity) {
    if (entity.rules.empty()) return {};
    const std::string when = fired_on(entity.rules);
    std::string body = policies_first(model, entity, when);
    for (const Rule& rule : entity.rules) body += rule_body(model, entity, rule);
    const bool deletes = when.find("delete") != std::string::npos;
    body +=
        deletes
            ? "    if tg_op = 'DELETE' then\n        return old;\n    end if;\n    return new;\n"
            : "    return new;\n";
    const Routine function = trigger_function(entity, "rules", body, true);
    const std::string by_owner = "not " + std::string(kByCaller);
    return {function, trigger(entity, "rules", when, by_owner, ident(function.name) + "('owner')"),
            trigger(entity, "rules_caller", when, kByCaller, ident(function.name) + "('caller')")};
}

}  // namespace svc::plan
