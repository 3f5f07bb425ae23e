// Functions as the runtime sees them: constant tables that the generator prints. Their steps and
// parameters are data (svc.flow), and so are workflows: a run keeps the steps that it began with,
// and other servers start runs too.
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/sets.hpp"

namespace svc {

struct Function {
    std::string_view name;
    PrincipalSet allow = kNobody;  // callers who may call it
};

}  // namespace svc
