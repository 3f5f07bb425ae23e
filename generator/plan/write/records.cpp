#include "plan/write/records.hpp"

#include "plan/names.hpp"

namespace svc::plan {
namespace {

// The function is the system schema's, one for all tables.
Routine record(const model::Entity& entity, const std::string& event, const std::string& when,
               const std::string& how) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = entity.name + "_" + event;
    out.table = entity.name;
    out.create = "create trigger " + ident(out.name) + " after " + when + " on " +
                 table(entity.name) + how + "\n    execute function svc.record_change()";
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

// TRUNCATE deletes rows without recording it, so nobody may run it, not even the owner.
Routine no_truncate(const model::Entity& entity) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = entity.name + "_truncated";
    out.table = entity.name;
    out.create = "create trigger " + ident(out.name) + " before truncate on " + table(entity.name) +
                 "\n    execute function svc.refuse_truncate()";
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

std::string each_statement(const std::string& rows) {
    return "\n    referencing " + rows + " for each statement";
}

}  // namespace

std::vector<Routine> plan_records(const model::Entity& entity) {
    return {record(entity, "created", "insert", each_statement("new table as new_rows")),
            record(entity, "updated", "update", " for each row"),
            record(entity, "deleted", "delete", each_statement("old table as old_rows")),
            no_truncate(entity)};
}

}  // namespace svc::plan
