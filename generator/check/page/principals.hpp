// Which principals include which others.
#pragma once

#include "model/model.hpp"

namespace svc::check {

// Could a caller who is `principal` see any row of the entity?
bool may_read(const model::Model& model, const model::Entity& entity,
              const model::Principal& principal);

// Could a caller who is `principal` make (or change) any row of it?
bool may_create(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
bool may_update(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
bool may_delete(const model::Model& model, const model::Entity& entity,
                const model::Principal& principal);
// Could they make the transition of some row?
bool may_make(const model::Model& model, const model::Transition& move,
              const model::Principal& principal);

// Could a caller who is `principal` run it?
bool may_run(const model::Model& model, const model::Query& query,
             const model::Principal& principal);

// Is one of a field's `read` or `write` personas among those who are `principal`?
bool is_listed(const model::Model& model, const std::optional<std::vector<std::string>>& list,
               const model::Principal& principal);

}  // namespace svc::check
