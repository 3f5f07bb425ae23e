#include "plan/service/files.hpp"

#include <string>

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/principals.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;

std::vector<const Field*> file_fields(const Entity& entity) {
    std::vector<const Field*> out;
    if (entity.external) return out;
    for (const Field& field : entity.fields) {
        if (field.type == model::FieldType::file && !field.computed) out.push_back(&field);
    }
    return out;
}

// The caller is one of those who read the field; empty: all do.
std::string reads(const Field& field) {
    if (!field.read) return {};
    std::vector<model::Principal> all;
    for (const std::string& persona : *field.read) {
        all.push_back({model::Principal::Kind::persona, persona});
    }
    return acts_as(all);
}

// A file that the row held before, in a field that the writer reads, may move within the row.
std::string held_before(const std::vector<const Field*>& fields, const std::string& column) {
    std::string out;
    for (const Field* field : fields) {
        const std::string who = reads(*field);
        const std::string same = column + " is not distinct from old." + ident(field->name);
        out += " or " + (who.empty() ? same : "(" + who + " and " + same + ")");
    }
    return out;
}

std::string refused(const Entity& entity, const Field& field) {
    std::string out =
        raise(base::sqlstate::kReference,
              literal(field.name + ": you have uploaded no file with this id."), field.name);
    out.insert(out.rfind(';'), ", table = " + literal(entity.name) +
                                   ", constraint = " + literal(entity.name + "_" + field.name));
    return out;
}

std::string body(const Entity& entity, const std::vector<const Field*>& fields) {
    // A deleted row comes back as it was.
    std::string out =
        "    if tg_op = 'INSERT' and current_setting('svc.restoring', true) = "
        "tg_table_name\n            and not " +
        by_caller(entity) + " then\n        return new;\n    end if;\n";
    for (const Field* field : fields) {
        const std::string column = "new." + ident(field->name);
        const std::string check = "not svc.may_hold_file(" + column + ") then\n            " +
                                  refused(entity, *field) + "        end if;\n";
        out += "    if " + column + " is not null then\n";
        out += "        if tg_op = 'UPDATE' and (" + column + " is not distinct from old." +
               ident(field->name) + held_before(fields, column) +
               ") then\n            null;\n        elsif " + check + "    end if;\n";
    }
    return out + "    return new;\n";
}

std::string any_row(const Entity& entity, const std::string& column) {
    return "exists (select from " + table(entity.name) + " r where r." + ident(column) +
           " = p_file)";
}

Routine reader(const char* name, const char* rights, const std::string& condition) {
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = name;
    const std::string begin = "create or replace function svc." + std::string(name) +
                              "(p_file uuid) returns boolean language plpgsql stable" + rights;
    out.create = begin + " as " + dollar_quoted("begin\n    return " + condition + ";\nend\n");
    // A policy asks it: it stays, and says no.
    out.drop = begin + " as 'begin return false; end'";
    return out;
}

}  // namespace

std::vector<Routine> plan_file_fields(const Model&, const Entity& entity) {
    const auto fields = file_fields(entity);
    if (fields.empty()) return {};
    std::string when;
    for (const Field* field : fields) {
        when += (when.empty() ? "" : " or ") + ("new." + ident(field->name)) + " is not null";
    }
    const Routine function =
        trigger_function(entity, "guard_files", body(entity, fields), Rights::writer);
    return {function,
            trigger(entity, "guard_files", "insert or update", when, ident(function.name) + "()")};
}

std::vector<Routine> plan_file_readers(const Model& model) {
    std::string seen, held;
    for (const Entity& entity : model.entities) {
        for (const Field* field : file_fields(entity)) {
            const std::string row = any_row(entity, field->name), who = reads(*field);
            const char* next = held.empty() ? "" : "\n        or ";
            seen += next + (who.empty() ? row : "(" + who + " and " + row + ")");
            held += next + row;
        }
    }
    if (held.empty()) return {};
    const std::string definer = std::string(" security definer\n") + kSafePath;
    return {reader("sees_file", "", seen), reader("file_held", definer.c_str(), held)};
}

}  // namespace svc::plan
