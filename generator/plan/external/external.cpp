#include "plan/external/external.hpp"

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/table/external_key.hpp"
#include "plan/table/tables.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;
using model::Model;

enum class Part { all, keyless, keyed };

std::string foreign_column(const std::string& name, std::string_view type,
                           const std::string& there) {
    std::string out = "\n    " + ident(name) + " " + std::string(type);
    if (there != name) out += " options (column_name " + literal(there) + ")";
    return out;
}

std::string foreign_columns(const Entity& entity, Part part) {
    std::string out;
    const auto add = [&out](const std::string& column) {
        out += (out.empty() ? "" : ",") + column;
    };
    const auto key = key_type(entity);
    const std::string_view type = key ? type_names(*key).sql : ":key_type";
    if (part != Part::keyless) add(foreign_column("id", type, entity.external->key));
    if (entity.owner.user) add(foreign_column("user_id", "uuid", "user_id"));
    if (entity.owner.org) add(foreign_column("org_id", "uuid", "org_id"));
    for (const Field& field : entity.fields) {
        // Rows are read by the name that policies and relations know the key by as well.
        if (part != Part::all && (&field == key_field(entity) || is_made_there(field))) continue;
        add(foreign_column(field.name, type_names(field.type).sql, field.name));
    }
    return out;
}

std::string foreign_table(const Entity& entity, const std::string& name, Part part) {
    return "create foreign table " + name + " (" + foreign_columns(entity, part) + ")\nserver " +
           ident(server_name(entity.external->connection)) + " options (schema_name " +
           literal(entity.external->schema) + ", table_name " + literal(entity.external->table) +
           ")";
}

std::string view_columns(const Entity& entity) {
    std::string out = "id";
    if (entity.owner.user) out += ", user_id";
    if (entity.owner.org) out += ", org_id";
    for (const Field& field : entity.fields) out += ", " + ident(field.name);
    return out;
}

// Values of rows that somebody else than the server of the app makes.
std::string view_defaults(const Model& model, const Entity& entity) {
    std::string out;
    const auto add = [&](const std::string& column, const std::string& value) {
        if (value.empty()) return;
        out += ";\nalter view " + table(entity.name) + " alter column " + ident(column) +
               " set default " + value;
    };
    if (entity.owner.user) add("user_id", kStampedUser);
    if (entity.owner.org) add("org_id", kStampedOrg);
    for (const Field& field : entity.fields) add(field.name, default_sql(model, entity, field));
    return out;
}

// Callers' own SQL reads this view, so the view is a security barrier: its policy is checked before
// any condition of the caller. With a barrier, the other database cannot sort, limit or count. So
// the server's own statements use a second view without a barrier, which callers' SQL cannot name.
Routine plan_read_view(const Model& model, const Entity& entity) {
    const Scope scope{model, "", ident(entity.name) + "."};
    const std::string which = access_predicate(model, entity, Operation::read, scope);
    const std::string name = table(entity.name), listed = listed_rows(entity);
    const std::string rows = " as\nselect " + view_columns(entity) + "\nfrom " + rows_of(entity) +
                             " as " + ident(entity.name) +
                             "\nwhere (select svc.reads_across()) or (" + which + ")";
    Routine out;
    out.kind = Routine::Kind::view;
    out.name = entity.name;
    out.path = entity.path;
    out.create = "create view " + name + " with (security_barrier)" + rows +
                 view_defaults(model, entity) + ";\ngrant select, insert, update, delete on " +
                 name + " to :data_role;\ncreate view " + listed + rows + ";\ngrant select on " +
                 listed + " to :data_role";
    out.drop = "drop view if exists " + listed + ", " + name;
    return out;
}

Routine plan_write_trigger(const Entity& entity, const Routine& function) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = entity.name + "_write";
    out.path = entity.path;
    out.create = "create trigger " + ident(out.name) +
                 " instead of insert or update or delete on " + table(entity.name) +
                 "\n    for each row execute function svc." + ident(function.name) + "()";
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

}  // namespace

std::string keyless_table(const Entity& entity) {
    return kForeignSchema + "." + ident("svc_new_" + entity.name);
}

std::string keyed_table(const Entity& entity) {
    return kForeignSchema + "." + ident("svc_keyed_" + entity.name);
}

External plan_external(const Entity& entity) {
    const model::External& at = *entity.external;
    External out{entity.name, at.connection, at.schema,
                 at.table,    at.key,        key_type(entity).has_value(),
                 {},          entity.path};
    if (entity.owner.user) out.columns.push_back({"user_id", "uuid", entity.path + "/owner"});
    if (entity.owner.org) out.columns.push_back({"org_id", "uuid", entity.path + "/owner"});
    for (const Field& field : entity.fields) {
        out.columns.push_back({field.name, std::string(type_names(field.type).sql), field.path});
    }
    return out;
}

Routine plan_foreign(const Entity& entity) {
    const std::string names[] = {rows_of(entity), keyless_table(entity), keyed_table(entity)};
    Routine out;
    out.kind = Routine::Kind::foreign;
    out.name = entity.name;
    out.path = entity.path;
    out.create = foreign_table(entity, names[0], Part::all) + ";\n" +
                 foreign_table(entity, names[1], Part::keyless) + ";\n" +
                 foreign_table(entity, names[2], Part::keyed);
    out.drop = "drop foreign table if exists " + names[0] + ", " + names[1] + ", " + names[2];
    return out;
}

std::vector<Routine> plan_view(const Model& model, const Entity& entity) {
    Routine view = plan_read_view(model, entity);
    Routine function = plan_write_function(model, entity);
    Routine trigger = plan_write_trigger(entity, function);
    return {std::move(view), std::move(function), std::move(trigger)};
}

}  // namespace svc::plan
