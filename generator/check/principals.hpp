// Who is meant by whom.
#pragma once

#include "model/model.hpp"

namespace svc::check {

// Could a caller of that persona be `principal`? Any persona may have any role of an organisation.
bool is_meant(const model::Persona& persona, const model::Principal& principal);

// Could a caller who is `principal` see any row of the entity?
bool may_read(const model::Model& model, const model::Entity& entity,
              const model::Principal& principal);
bool may_read(const model::Model& model, const model::Entity& entity,
              const model::Persona& persona);

}  // namespace svc::check
