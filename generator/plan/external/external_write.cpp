// The trigger of a view over external rows: it asks what policies, guards, rules and
// constraints of a table of the app would ask, in their order, then writes there.
#include <algorithm>

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/external/external.hpp"
#include "plan/names.hpp"
#include "plan/table/constraints.hpp"
#include "plan/table/external_key.hpp"
#include "plan/write/field_triggers.hpp"
#include "plan/write/trigger_sql.hpp"
#include "plan/write/triggers.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;
using model::Model;

// Checks the condition only for roles that policies bind in PostgreSQL.
std::string past_policies_or(const std::string& condition) {
    return "svc.past_policies() or (" + condition + ")";
}

// Refuses with the error that PostgreSQL gives if a policy forbids a row.
std::string refuse_unless(const std::string& condition) {
    return "        if (" + past_policies_or(condition) + ") is not true then\n            " +
           raise(base::sqlstate::kForbidden, literal("The policy does not allow this row."), "") +
           "        end if;\n";
}

std::string may(const Model& model, const Entity& entity, Operation operation, const char* row) {
    return access_predicate(model, entity, operation, {model, row, row});
}

std::string kept(const std::string& column) {
    return "        if new." + ident(column) + " is distinct from old." + ident(column) +
           " then\n            " +
           raise(base::sqlstate::kFieldForbidden, literal(column + " cannot be changed."), column) +
           "        end if;\n";
}

std::string kept_columns(const Entity& entity) {
    std::string out = kept("id");
    if (entity.owner.user) out += kept("user_id");
    if (entity.owner.org) out += kept("org_id");
    for (const Field& field : entity.fields) {
        if (field.immutable || &field == key_field(entity)) out += kept(field.name);
    }
    return out;
}

std::string refuse_value(const ServedConstraint& constraint, std::string_view code,
                         const std::string& table, const std::string& condition) {
    return "    if " + condition + " then\n        raise exception using errcode = '" +
           std::string(code) + "', table = " + literal(table) +
           ", constraint = " + literal(constraint.name) +
           ", column = " + literal(constraint.field) +
           ",\n            message = " + literal(constraint.field + " " + constraint.reason) +
           ";\n    end if;\n";
}

// Refs and accounts name rows in this database, so they can be checked.
std::string refuse_stray(const Model& model, const Entity& entity, ServedConstraint constraint) {
    constraint.reason = "names a row that does not exist.";
    const auto field =
        std::find_if(entity.fields.begin(), entity.fields.end(),
                     [&](const Field& each) { return each.name == constraint.field; });
    const bool ref = field != entity.fields.end() && field->type == FieldType::ref;
    const std::string target = ref ? table(model.entities[field->ref_entity].name) : "svc.account";
    const std::string value = "new." + ident(constraint.field);
    return refuse_value(constraint, base::sqlstate::kReference, entity.name,
                        value + " is not null and not exists (select from " + target +
                            " _t where _t.id = " + value + ")");
}

std::string constraints_body(const Model& model, const Entity& entity) {
    std::string out;
    for (const Field& field : entity.fields) {
        const bool keyed = &field == key_field(entity);
        if (!field.required || is_made_there(field)) continue;
        const ServedConstraint missing{"", field.name, "is required."};
        out += refuse_value(missing, base::sqlstate::kNull, entity.name,
                            "new." + ident(keyed ? "id" : field.name) + " is null");
    }
    for (const PlannedConstraint& each : plan_constraints(model, entity)) {
        const bool check = !each.condition.empty();
        out += check ? refuse_value(
                           each.served, base::sqlstate::kCheck, entity.name,
                           "(select (" + each.condition + ") is false from (select new.*) _row)")
                     : refuse_stray(model, entity, each.served);
    }
    return out;
}

std::string listed(const std::vector<std::string>& names, const char* before, const char* between) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : between) + (before + name);
    return out;
}

std::vector<std::string> inserted_columns(const Entity& entity) {
    std::vector<std::string> out;
    if (entity.owner.user) out.emplace_back("user_id");
    if (entity.owner.org) out.emplace_back("org_id");
    for (const Field& field : entity.fields) {
        if (&field != key_field(entity) && !is_made_there(field)) out.push_back(ident(field.name));
    }
    return out;
}

std::string insert_into(const std::string& table, const std::vector<std::string>& columns) {
    if (columns.empty()) return "insert into " + table + " default values";
    return "insert into " + table + " (" + listed(columns, "", ", ") + ") values (" +
           listed(columns, "new.", ", ") + ")";
}

// a = new.a, b = new.b; empty if nothing may change.
std::string assignments(const Entity& entity, bool made_there) {
    std::string out;
    for (const Field& field : entity.fields) {
        if (&field == key_field(entity) || (made_there && !is_made_there(field))) continue;
        if (field.immutable && !made_there) continue;
        out += (out.empty() ? "" : ", ") + ident(field.name) + " = new." + ident(field.name);
    }
    return out;
}

std::string any_made_there(const Entity& entity) {
    std::string out;
    for (const Field& field : entity.fields) {
        if (!is_made_there(field) || &field == key_field(entity)) continue;
        out += (out.empty() ? "" : " or ") + ("new." + ident(field.name)) + " is not null";
    }
    return out;
}

std::string copied(const std::string& column) {
    return "        new." + column + " := _row." + column + ";\n";
}

// A table of its own name could be called old or new.
std::string named_rows(const Entity& entity) { return rows_of(entity) + " as _there"; }

// Reads the new row back: triggers and types of the other database may change the sent values. A
// caller who may not read it gets the sent values and the key.
std::string read_back(const Model& model, const Entity& entity) {
    std::string out = "    select * into _row from " + named_rows(entity) +
                      " where id = new.id;\n    if found and (" +
                      past_policies_or(may(model, entity, Operation::read, "_row.")) +
                      ") then\n        null;\n";
    if (entity.owner.user) out += copied("user_id");
    if (entity.owner.org) out += copied("org_id");
    for (const Field& field : entity.fields) out += copied(ident(field.name));
    return out + "    end if;\n    return new;\n";
}

// If the other database made the key, the new row is found by its place (ctid).
std::string insert_body(const Model& model, const Entity& entity) {
    const std::string rows = named_rows(entity);
    std::vector<std::string> columns = inserted_columns(entity);
    std::string out = "    if new.id is null then\n        " +
                      insert_into(keyless_table(entity), columns) +
                      " returning ctid into _at;\n        select id into new.id from " + rows +
                      " where ctid = _at;\n    else\n        ";
    columns.insert(columns.begin(), "id");
    out += insert_into(keyed_table(entity), columns) + ";\n    end if;\n";
    if (const std::string more = any_made_there(entity); !more.empty()) {
        out += "    if " + more + " then\n        update " + rows + " set " +
               assignments(entity, true) + " where id = new.id;\n    end if;\n";
    }
    return out + read_back(model, entity);
}

std::string delete_body(const Model& model, const Entity& entity) {
    return "    if tg_op = 'DELETE' then\n" +
           refuse_unless(may(model, entity, Operation::remove, "old.")) +
           rules_body(model, entity) + "        delete from " + named_rows(entity) +
           " where id = old.id;\n        if not found then\n            return null;\n        end "
           "if;\n"
           "        return old;\n    end if;\n";
}

std::string update_body(const Model& model, const Entity& entity) {
    const std::string sets = assignments(entity, false);
    const std::string same = sets.empty() ? "true" : "new is not distinct from old";
    std::string out = "    if tg_op = 'UPDATE' then\n        if " + same +
                      " then\n            return new;\n        end if;\n";
    if (!sets.empty())
        out += "        update " + named_rows(entity) + " set " + sets +
               " where id = old.id;\n        if not found then\n            return null;\n"
               "        end if;\n" +
               read_back(model, entity);
    return out + "    end if;\n";
}

// The app makes a key that nobody sends and the other database does not make, if it is a uuid.
std::string key_body(const Entity& entity) {
    std::string out;
    if (const Field* field = key_field(entity))
        out = "        new.id := new." + ident(field->name) + ";\n";
    return out +
           "        if new.id is null and pg_typeof(new.id) = 'uuid'::regtype then\n"
           "            new.id := svc.new_id();\n        end if;\n";
}

}  // namespace

Routine plan_write_function(const Model& model, const Entity& entity) {
    const FieldGuards guards = field_guards(model, entity);
    const std::string updates = may(model, entity, Operation::update, "old.");
    std::string body = delete_body(model, entity);
    body += "    if tg_op = 'UPDATE' then\n" + refuse_unless(updates) + kept_columns(entity) +
            guards.updated + refuse_unless(may(model, entity, Operation::update, "new.")) +
            "    else\n" + key_body(entity) + guards.inserted +
            refuse_unless("(" + may(model, entity, Operation::create, "new.") + ")" +
                          stamp_predicate(entity, "new.")) +
            "    end if;\n" + rules_body(model, entity) + constraints_body(model, entity) +
            update_body(model, entity) + insert_body(model, entity);
    Routine out = trigger_function(entity, "write", body, Rights::owner);
    out.path = entity.path;
    const std::string begin = "begin\n";
    out.create.insert(out.create.find(begin),
                      "declare\n    _at tid;\n    _row " + rows_of(entity) + ";\n");
    return out;
}

}  // namespace svc::plan
