// The objects that a migration removes from a table that it takes over.
#pragma once

#include <string>

#include "migrate/schema/kinds.hpp"

namespace svc::migrate {

// A constraint or index that somebody made, and that a contract says from here on: it goes where
// the contract's own is made. Of a table that the same migration takes over.
struct Replaced {
    ObjectKind kind = ObjectKind::constraint;  // or index
    std::string table, name;
};

}  // namespace svc::migrate
