#include <algorithm>

#include "model/names.hpp"
#include "plan/names.hpp"
#include "plan/served/served.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;

constexpr std::size_t kId = 0;

// The columns of fields come after id and the columns of the owner.
std::size_t column_of(const Entity& entity, std::size_t field) {
    return 1 + (entity.owner.user ? 1 : 0) + (entity.owner.org ? 1 : 0) + field;
}

// A name that a relation or another ref has already means that one, as in a path.
bool taken(const Entity& entity, const std::string& name) {
    const auto same = [&](const model::Relation& each) { return each.name == name; };
    const auto field = model::find_field(entity, name);
    return std::any_of(entity.relations.begin(), entity.relations.end(), same) ||
           (field && entity.fields[*field].type == FieldType::ref);
}

}  // namespace

std::vector<ServedLink> serve_links(const model::Model& model, const Entity& entity) {
    std::vector<ServedLink> out;
    for (std::size_t i = 0; i < entity.fields.size(); ++i) {
        const Field& field = entity.fields[i];
        if (field.type != FieldType::ref) continue;
        const std::string target = cpp_identifier(model.entities[field.ref_entity].name);
        out.push_back({field.name, ServedLink::Kind::one, column_of(entity, i), target, kId});
        const std::string alone = model::without_id(field.name);
        if (taken(entity, alone)) continue;
        out.push_back({alone, ServedLink::Kind::one, column_of(entity, i), target, kId});
    }
    for (const model::Relation& relation : entity.relations) {
        const Entity& target = model.entities[relation.entity];
        out.push_back({relation.name, ServedLink::Kind::many, kId, cpp_identifier(target.name),
                       column_of(target, relation.field)});
    }
    return out;
}

}  // namespace svc::plan
