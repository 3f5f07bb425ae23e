#include "plan/table/external_key.hpp"

#include "plan/names.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;

}  // namespace

const Field* key_field(const Entity& entity) {
    if (!entity.external) return nullptr;
    for (const Field& field : entity.fields) {
        if (field.name == entity.external->key) return &field;
    }
    return nullptr;
}

std::optional<FieldType> key_type(const Entity& entity) {
    const Field* field = key_field(entity);
    if (field == nullptr) return std::nullopt;
    const std::string_view sql = type_names(field->type).sql;
    if (sql == "text") return FieldType::string;
    if (sql == "bigint") return FieldType::integer;
    if (sql == "uuid") return FieldType::uuid;
    return std::nullopt;
}

bool is_made_there(const Field& field) { return field.write && field.write->empty(); }

std::string listed_rows(const Entity& entity) { return "svc." + ident(entity.name + "_rows"); }

}  // namespace svc::plan
