// The properties of a persona.
#pragma once

#include "model/model.hpp"

namespace svc::model {

// True if a caller of that persona can be `principal`. Any persona may have any role of an
// organisation.
bool is_meant(const Persona& persona, const Principal& principal);

}  // namespace svc::model
