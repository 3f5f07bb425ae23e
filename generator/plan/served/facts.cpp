#include "model/names.hpp"
#include "model/values.hpp"
#include "plan/served/served.hpp"

namespace svc::plan {

Facts field_facts(const model::Model& model, const model::Field& field) {
    Facts out;
    out.type = field.type;
    if (field.label != model::words(field.name)) out.label = field.label;
    out.values = field.values;
    out.min = field.min;
    out.max = field.max;
    out.min_length = field.min_length;
    out.max_length = field.max_length;
    out.pattern = field.pattern;
    out.scale = field.scale;
    if (field.default_value.kind == model::Default::Kind::literal) {
        out.fallback = field.default_value.text;
    }
    if (field.type == model::FieldType::ref) out.ref = model.entities[field.ref_entity].name;
    out.nullable = !field.required && !field.lifecycle;
    out.unique = field.unique;
    return out;
}

// The owner is null on rows that the server makes for nobody.
Facts made_facts(const std::string& name, model::FieldType type) {
    Facts out;
    out.type = type;
    out.nullable = name == "user_id" || name == "org_id";
    out.unique = name == "id";
    return out;
}

}  // namespace svc::plan
