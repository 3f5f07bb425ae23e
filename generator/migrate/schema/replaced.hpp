// The objects that a migration removes from a table that it takes over.
#pragma once

#include <string>

#include "migrate/schema/kinds.hpp"

namespace svc::migrate {

// A constraint or index that somebody made by hand and that the contract now has. It is dropped
// when the contract's own is made. Only for a table that the same migration adopts.
struct Replaced {
    ObjectKind kind = ObjectKind::constraint;  // or index
    std::string table, name;
};

}  // namespace svc::migrate
