#include "plan/served/served.hpp"

#include <algorithm>

#include "model/urls.hpp"
#include "plan/access.hpp"
#include "plan/access/read_decision.hpp"
#include "plan/names.hpp"
#include "plan/principals.hpp"
#include "plan/search/search.hpp"
#include "plan/table/external_key.hpp"
#include "plan/table/tables.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;
using model::Model;

// A column that the compiler adds and nobody sends.
ServedColumn made(const char* name, FieldType type) {
    const TypeNames& names = type_names(type);
    ServedColumn column;
    column.name = column.member = name;
    column.type = names.type;
    column.writer = names.writer;
    column.oid = names.oid;
    column.creators = column.updaters = 0;
    column.facts = made_facts(name, type);
    return column;
}

ServedColumn serve_column(const Model& model, const Entity& entity, const Field& field) {
    ServedColumn column = made(field.name.c_str(), field.type);
    column.member = cpp_identifier(field.name);
    const bool server_made = field.computed || field.lifecycle || field.type == FieldType::sequence;
    const PrincipalBits writers =
        field.write ? persona_bits(model, *field.write) : ~PrincipalBits{0};
    if (field.read) column.readers = persona_bits(model, *field.read);
    if (!server_made) {
        column.creators = writers;
        column.updaters = field.immutable || &field == key_field(entity) ? 0 : writers;
    }
    column.required =
        field.required && !server_made && field.default_value.kind == model::Default::Kind::none;
    column.has_default = column.creators != 0 && !default_sql(model, entity, field).empty();
    column.max_length = field.max_length.value_or(0);
    column.facts = field_facts(model, field);
    return column;
}

// If no field declares its type, only the other database knows it. Callers who may create rows may
// send it.
ServedColumn external_key(const Entity& entity) {
    if (const auto type = key_type(entity)) return made("id", *type);
    ServedColumn key = made("id", FieldType::string);
    key.type = ColumnType::key;
    key.writer = Writer::key;
    key.facts.type.reset();
    key.creators = key_field(entity) != nullptr ? 0 : ~PrincipalBits{0};
    return key;
}

std::string title(const Entity& entity) {
    if (!entity.label.empty()) return entity.label;
    std::string out = entity.name;
    for (char& c : out) c = c == '_' ? ' ' : c;
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
        out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

Stamp stamp(const model::Owner& owner) {
    if (owner.user && owner.org) return Stamp::both;
    return owner.user ? Stamp::user : owner.org ? Stamp::org : Stamp::none;
}

std::vector<ServedTransition> serve_transitions(const Model& model, const Entity& entity) {
    std::vector<ServedTransition> out;
    for (const model::Transition& transition : entity.lifecycle->transitions) {
        out.push_back(
            {transition.name, transition.to, transition.from, bits(model, transition.by)});
    }
    return out;
}

std::vector<std::vector<std::size_t>> serve_keys(const Entity& entity,
                                                 const std::vector<ServedColumn>& columns) {
    std::vector<std::vector<std::size_t>> out;
    if (entity.external) {
        // Nothing else is known to be unique there.
        const Field* key = key_field(entity);
        if (key == nullptr || !is_made_there(*key))
            out.push_back({key == nullptr ? 0 : column_at(columns, key->name)});
        return out;
    }
    for (const std::vector<std::string>& key : uniques(entity)) {
        out.emplace_back();
        for (const std::string& name : key) out.back().push_back(column_at(columns, name));
    }
    return out;
}

void serve_access(const Model& model, const Entity& entity, ServedEntity& out) {
    out.read = access_bits(model, entity, Operation::read);
    out.create = access_bits(model, entity, Operation::create);
    out.update = access_bits(model, entity, Operation::update);
    out.remove = access_bits(model, entity, Operation::remove);
    out.no_read = denied_bits(model, entity, Operation::read);
    out.no_create = denied_bits(model, entity, Operation::create);
    out.no_update = denied_bits(model, entity, Operation::update);
    out.no_remove = denied_bits(model, entity, Operation::remove);
}

}  // namespace

std::vector<ServedColumn> serve_columns(const Model& model, const Entity& entity) {
    std::vector<ServedColumn> columns = {made("id", FieldType::uuid)};
    if (entity.external) columns[0] = external_key(entity);
    if (entity.owner.user) columns.push_back(made("user_id", FieldType::uuid));
    if (entity.owner.org) columns.push_back(made("org_id", FieldType::uuid));
    for (const Field& field : entity.fields) columns.push_back(serve_column(model, entity, field));
    if (entity.external) return columns;
    columns.push_back(made("created_at", FieldType::datetime));
    columns.push_back(made("updated_at", FieldType::datetime));
    return columns;
}

std::size_t column_at(const std::vector<ServedColumn>& columns, const std::string& name) {
    const auto named = [&](const ServedColumn& column) { return column.name == name; };
    return static_cast<std::size_t>(std::ranges::find_if(columns, named) - columns.begin());
}

ServedEntity serve_entity(const Model& model, const Entity& entity) {
    ServedEntity out;
    out.name = entity.name;
    out.title = title(entity);
    out.cpp_name = pascal_case(entity.name);
    out.cpp_value = cpp_identifier(entity.name);
    out.source = "svc.json#" + entity.path;
    out.stamp = stamp(entity.owner);
    out.external = entity.external.has_value();
    out.audit = entity.audit;
    out.newest_first = newest_first(model, entity);
    out.columns = serve_columns(model, entity);
    serve_access(model, entity, out);
    out.constraints = served_constraints(model, entity);
    out.keys = serve_keys(entity, out.columns);
    out.links = serve_links(model, entity);
    out.looks = serve_looks(model, entity, out.columns);
    for (const Field& field : entity.fields) {
        if (field.type == FieldType::file && !entity.external)
            out.files.push_back(column_at(out.columns, field.name));
    }
    if (entity.lifecycle) {
        out.lifecycle_field = entity.fields[entity.lifecycle->field].name;
        out.transitions = serve_transitions(model, entity);
    }
    plan_statements(model, entity, out);
    out.search = serve_search(model, entity, out.columns);
    out.read_decision = plan_read_decision(model, entity, out.columns);
    return out;
}

std::vector<Route> serve_routes(const Model& model, const Entity& entity) {
    using Method = Route::Method;
    using Action = Route::Action;
    const std::string rows = (entity.external ? "/api/v1/ext/" : "/api/v1/") + entity.name;
    const std::string one = rows + "/<id>";
    const std::string value = cpp_identifier(entity.name);
    const auto words = [&](Operation operation) { return access_words(model, entity, operation); };
    std::vector<Route> routes = {
        {Method::get, rows, Action::list, value, words(Operation::read)},
        {Method::get, rows + "/aggregate", Action::aggregate, value, words(Operation::read)},
        {Method::get, one, Action::get, value, words(Operation::read)},
        {Method::post, rows, Action::create, value, words(Operation::create)},
        {Method::patch, one, Action::update, value, words(Operation::update)},
        {Method::remove, one, Action::remove, value, words(Operation::remove)},
    };
    if (entity.lifecycle) {
        routes.push_back(
            {Method::patch, one + "/transition", Action::transition, value, "by transition"});
    }
    if (entity.soft_delete) {
        routes.push_back(
            {Method::post, one + "/restore", Action::restore, value, words(Operation::remove)});
    }
    if (entity.audit)
        routes.push_back({Method::get, one + "/history", Action::history, value, "administrators"});
    return routes;
}

std::vector<ServedPersona> serve_personas(const Model& model) {
    std::vector<ServedPersona> out;
    for (const model::Persona& persona : model.personas) {
        ServedPersona served;
        served.id = persona.id;
        served.cpp_value = cpp_identifier(persona.id);
        served.label = persona.label;
        served.kind = persona.kind == model::PersonaKind::staff ? "staff" : "consumer";
        served.signup = persona.signup;
        served.mfa_required = persona.mfa_required;
        served.principals = all_bits(model, persona);
        served.names = all_names(persona);
        out.push_back(std::move(served));
    }
    return out;
}

ServedFiles serve_files(const model::Files& files) {
    const model::Files usual;
    ServedFiles out;
    out.max_size = files.max_size;
    out.user_quota = files.user_quota;
    out.project_quota = files.project_quota;
    if (files.mime != model::known_mime()) out.mime = files.mime;
    out.usual = files.max_size == usual.max_size && out.mime.empty() && files.user_quota == 0 &&
                files.project_quota == 0;
    return out;
}

}  // namespace svc::plan
