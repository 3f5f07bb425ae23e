#include "check/principals.hpp"

#include <algorithm>

namespace svc::check {
namespace {

using model::Principal;
using Kind = Principal::Kind;

// same_as ends at an entity that has grants: the model has no circles of it.
const model::Entity& deciding(const model::Model& model, const model::Entity& entity) {
    const model::Entity* at = &entity;
    while (at->access.same_as) at = &model.entities[at->fields[*at->access.same_as].ref_entity];
    return *at;
}

// Could somebody be both?
bool overlap(const model::Model& model, const Principal& a, const Principal& b) {
    if (a.kind == Kind::any || b.kind == Kind::any) return true;
    const bool outside = a.kind == Kind::guest || a.kind == Kind::server || b.kind == Kind::guest ||
                         b.kind == Kind::server;
    if (outside) return a.kind == b.kind;
    return std::any_of(model.personas.begin(), model.personas.end(),
                       [&](const model::Persona& persona) {
                           return is_meant(persona, a) && is_meant(persona, b);
                       });
}

}  // namespace

bool is_meant(const model::Persona& persona, const Principal& principal) {
    switch (principal.kind) {
        case Kind::any:
        case Kind::signed_in:
        case Kind::org_role:
            return true;
        case Kind::guest:
        case Kind::server:
            return false;
        case Kind::consumer:
            return persona.kind == model::PersonaKind::consumer;
        case Kind::staff:
            return persona.kind == model::PersonaKind::staff;
        case Kind::persona:
            return std::find(persona.acts_as.begin(), persona.acts_as.end(), principal.name) !=
                   persona.acts_as.end();
    }
    return false;
}

bool may_read(const model::Model& model, const model::Entity& entity, const Principal& principal) {
    const auto& grants = deciding(model, entity).access.read;
    return std::any_of(grants.begin(), grants.end(), [&](const model::Grant& grant) {
        return overlap(model, grant.to, principal);
    });
}

bool may_read(const model::Model& model, const model::Entity& entity,
              const model::Persona& persona) {
    const auto& grants = deciding(model, entity).access.read;
    return std::any_of(grants.begin(), grants.end(),
                       [&](const model::Grant& grant) { return is_meant(persona, grant.to); });
}

}  // namespace svc::check
