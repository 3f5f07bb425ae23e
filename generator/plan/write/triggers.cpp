#include "plan/write/triggers.hpp"

#include <algorithm>

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/write/trigger_sql.hpp"

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

std::string keep(const std::string& column, const std::string& condition) {
    return "    if " + condition + "new." + ident(column) + " is distinct from old." +
           ident(column) + " then\n        " +
           raise(base::sqlstate::kFieldForbidden, literal(column + " cannot be changed."), column) +
           "    end if;\n";
}

// Writers must not choose the owner of a row.
constexpr const char* kNotServer = "not (select svc.acts_as('server'))";

std::string guard_update(const Entity& entity) {
    std::string body =
        keep("id", "") + keep("created_at", by_caller(entity) + "\n            and ");
    const std::string bound = std::string(kNotOwner) + "\n            and " + kNotServer + " and ";
    if (entity.owner.user) body += keep("user_id", bound);
    if (entity.owner.org) body += keep("org_id", bound);
    for (const Field& field : entity.fields) {
        if (!field.immutable) continue;
        // An account that goes takes its name out of the row: that is the owner's doing.
        const bool account = field.type == model::FieldType::user;
        const std::string kept = "(new." + ident(field.name) + " is not null\n            or " +
                                 kNotOwner + ")\n            and ";
        body += keep(field.name, account ? kept : "");
    }
    if (entity.lifecycle) {
        body += keep(entity.fields[entity.lifecycle->field].name,
                     std::string(kNotOwner) + "\n            and ");
    }
    return body;
}

std::string guard_insert(const Entity& entity) {
    if (!entity.lifecycle) return {};
    const std::string field = entity.fields[entity.lifecycle->field].name;
    return "        if new." + ident(field) + " is distinct from " +
           literal(entity.lifecycle->initial) + "\n                and " + kNotOwner +
           " then\n            " +
           raise(base::sqlstate::kFieldForbidden,
                 literal(field + " begins as " + entity.lifecycle->initial + "."), field) +
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
    scope.readable_only = true;  // a refusal shows only what its reader may read
    const std::string message = sql_message(rule.message, scope);
    return "    if tg_op in (" + operations(rule) + ") then\n        if " + refused +
           " then\n            " + raise(base::sqlstate::kRule, message, column) +
           "        end if;\n    end if;\n";
}

// PostgreSQL runs triggers with rules before it checks policies. So the trigger leaves a row that
// the policies will refuse to them: a rule's message would tell a stranger about the row. Roles
// that act as the owner bypass policies, so only the rules hold for them.
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

// Computed columns are not set yet in the new row, so they are not compared.
std::string touch(const Entity& entity) {
    std::string body;
    for (const Field& field : entity.fields) {
        if (field.computed) body += "    old." + ident(field.name) + " := null;\n";
    }
    return body +
           "    if new is distinct from old then\n        new.updated_at := now();\n    end if;\n";
}

}  // namespace

std::vector<Routine> plan_guard(const Entity& entity) {
    const std::string insert = guard_insert(entity);
    const std::string update = guard_update(entity) + touch(entity) + "    return new;\n";
    std::string body = update;
    if (!insert.empty()) {
        body = "    if tg_op = 'INSERT' then\n" + insert + "        return new;\n    end if;\n" +
               update;
    }
    const Routine function = trigger_function(entity, "guard", body, Rights::writer);
    const char* when = insert.empty() ? "update" : "insert or update";
    return {function, trigger(entity, "guard", when, "", ident(function.name) + "()")};
}

std::string rules_body(const Model& model, const Entity& entity) {
    std::string body;
    for (const Rule& rule : entity.rules) body += rule_body(model, entity, rule);
    return body;
}

std::vector<Routine> plan_rules(const Model& model, const Entity& entity) {
    if (entity.rules.empty()) return {};
    const std::string when = fired_on(entity.rules);
    std::string body = policies_first(model, entity, when) + rules_body(model, entity);
    const bool deletes = when.find("delete") != std::string::npos;
    body +=
        deletes
            ? "    if tg_op = 'DELETE' then\n        return old;\n    end if;\n    return new;\n"
            : "    return new;\n";
    const Routine function = trigger_function(entity, "rules", body, Rights::owner);
    const std::string by_owner = "not " + by_caller(entity);
    return {function, trigger(entity, "rules", when, by_owner, ident(function.name) + "('owner')"),
            trigger(entity, "rules_caller", when, by_caller(entity),
                    ident(function.name) + "('caller')")};
}

}  // namespace svc::plan
