// Which principals include which others.
#pragma once

#include "model/model.hpp"

namespace svc::check {

// True if a caller who is `principal` could see any row of the entity.
bool may_read(const model::Model& model, const model::Entity& entity,
              const model::Principal& principal);

// True if a caller who is `principal` could create (or change) any row of it.
bool may_create(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
bool may_update(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
bool may_delete(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
// True if they could make the transition of some row.
bool may_make(const model::Model& model, const model::Transition& move,
              const model::Principal& principal);

// True if a caller who is `principal` could run it.
bool may_run(const model::Model& model, const model::Query& query,
             const model::Principal& principal);

// True if one of a field's `read` or `write` personas can be `principal`.
bool is_listed(const model::Model& model, const std::optional<std::vector<std::string>>& list,
               const model::Principal& principal);

}  // namespace svc::check
