#include "check/page/principals.hpp"

#include <algorithm>

#include "model/access/personas.hpp"

namespace svc::check {
namespace {

using model::is_meant;
using model::Principal;
using Who = Principal::Kind;

// same_as ends at an entity that has grants: the model has no circles of it.
const model::Entity& deciding(const model::Model& model, const model::Entity& entity) {
    const model::Entity* at = &entity;
    while (at->access.same_as) at = &model.entities[at->fields[*at->access.same_as].ref_entity];
    return *at;
}

// Could somebody be both?
bool overlap(const model::Model& model, const Principal& a, const Principal& b) {
    if (a.kind == Who::any || b.kind == Who::any) return true;
    const bool outside = a.kind == Who::guest || a.kind == Who::server || b.kind == Who::guest ||
                         b.kind == Who::server;
    if (outside) return a.kind == b.kind;
    return std::any_of(model.personas.begin(), model.personas.end(),
                       [&](const model::Persona& persona) {
                           return is_meant(persona, a) && is_meant(persona, b);
                       });
}

bool granted(const model::Model& model, const std::vector<model::Grant>& grants,
             const Principal& principal) {
    return std::any_of(grants.begin(), grants.end(), [&](const model::Grant& grant) {
        return overlap(model, grant.to, principal);
    });
}

}  // namespace

bool may_read(const model::Model& model, const model::Entity& entity, const Principal& principal) {
    return granted(model, deciding(model, entity).access.read, principal);
}

bool may_create(const model::Model& model, const model::Entity& entity,
                const Principal& principal) {
    const model::Access& access = deciding(model, entity).access;
    // same_as: any write needs update on the row that decides.
    return granted(model, entity.access.same_as ? access.update : access.create, principal);
}

bool may_update(const model::Model& model, const model::Entity& entity,
                const Principal& principal) {
    return granted(model, deciding(model, entity).access.update, principal);
}

bool may_delete(const model::Model& model, const model::Entity& entity,
                const Principal& principal) {
    const model::Access& access = deciding(model, entity).access;
    // same_as: any write needs update on the row that decides.
    return granted(model, entity.access.same_as ? access.update : access.remove, principal);
}

bool may_make(const model::Model& model, const model::Transition& move,
              const Principal& principal) {
    return std::any_of(move.by.begin(), move.by.end(), [&](const Principal& allowed) {
        return overlap(model, allowed, principal);
    });
}

bool may_run(const model::Model& model, const model::Query& query, const Principal& principal) {
    return query.end_user ||
           std::any_of(query.allow.begin(), query.allow.end(), [&](const Principal& allowed) {
               return overlap(model, allowed, principal);
           });
}

bool is_listed(const model::Model& model, const std::optional<std::vector<std::string>>& list,
               const Principal& principal) {
    if (!list) return true;
    return std::any_of(
        model.personas.begin(), model.personas.end(), [&](const model::Persona& persona) {
            return is_meant(persona, principal) &&
                   std::any_of(list->begin(), list->end(), [&](const std::string& name) {
                       return is_meant(persona, {Who::persona, name});
                   });
        });
}

}  // namespace svc::check
