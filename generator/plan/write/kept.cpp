#include "plan/write/kept.hpp"

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Model;

Routine after(const Entity& entity, const std::string& name, const std::string& when,
              const std::string& function) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = name;
    out.table = entity.name;
    out.create = "create trigger " + ident(name) + " after " + when + " on " + table(entity.name) +
                 " for each row\n    execute function svc." + function + "()";
    out.drop = "drop trigger if exists " + ident(name) + " on " + table(entity.name);
    return out;
}

std::string refuse_if(const std::string& condition, std::string_view code,
                      std::string_view message) {
    return "    if " + condition + " then\n        " + raise(code, literal(message), "") +
           "    end if;\n";
}

// Checks the deleted row as the policies would. Roles that bypass policies are not checked. A
// missing row and a row that the caller may not see get the same answer.
std::string restore_body(const Model& model, const Entity& entity) {
    const Scope scope{model, "_r.", "_r."};
    const std::string name = literal(entity.name);
    const auto lacks = [&](Operation operation) {
        return "not _past and (" + access_predicate(model, entity, operation, scope) +
               ") is not true";
    };
    return "declare\n    _r " + table(entity.name) +
           ";\n    _past boolean := svc.past_policies();\nbegin\n"
           "    select * into _r from json_populate_record(null::" +
           table(entity.name) + ", svc.deleted_row(" + name + ", _id));\n" +
           refuse_if("_r.id is null or " + lacks(Operation::read), base::sqlstate::kNotFound,
                     "No deleted row has this id.") +
           refuse_if(lacks(Operation::remove), base::sqlstate::kRowForbidden,
                     "You may not delete this row, so you may not restore it.") +
           "    perform svc.put_back(" + name + ", _id);\n    return query select * from " +
           table(entity.name) + " where id = _id;\nend\n";
}

Routine restore_function(const Model& model, const Entity& entity) {
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = restore_function_name(entity);
    const std::string signature = "svc." + ident(out.name) + "(uuid)";
    out.create = "create function svc." + ident(out.name) + "(_id uuid) returns setof " +
                 table(entity.name) + "\nlanguage plpgsql security definer\n" + kSafePath + " as " +
                 dollar_quoted(restore_body(model, entity)) + ";\nrevoke all on function " +
                 signature + " from public;\ngrant execute on function " + signature +
                 " to :data_role";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

}  // namespace

std::string restore_function_name(const Entity& entity) { return entity.name + "_restore"; }

std::string keeping_trigger_name(const std::string& table) { return table + "_kept"; }

std::vector<Routine> plan_kept(const Model& model, const Entity& entity) {
    std::vector<Routine> out;
    if (entity.soft_delete) {
        out.push_back(restore_function(model, entity));
        out.push_back(after(entity, keeping_trigger_name(entity.name), "delete", "keep_deleted"));
    }
    if (entity.audit) {
        out.push_back(
            after(entity, entity.name + "_history", "insert or update or delete", "note_history"));
    }
    return out;
}

}  // namespace svc::plan
