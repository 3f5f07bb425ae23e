#include "model/access/personas.hpp"

#include "model/names.hpp"

namespace svc::model {

bool is_meant(const Persona& persona, const Principal& principal) {
    using Kind = Principal::Kind;
    switch (principal.kind) {
        case Kind::any:
        case Kind::signed_in:
        case Kind::org_role:
            return true;
        case Kind::guest:
        case Kind::server:
            return false;
        case Kind::consumer:
            return persona.kind == PersonaKind::consumer;
        case Kind::staff:
            return persona.kind == PersonaKind::staff;
        case Kind::persona:
            return contains(persona.acts_as, principal.name);
    }
    return false;
}

}  // namespace svc::model
