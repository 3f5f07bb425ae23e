// What the runtime knows of functions: constant tables that the generator prints. Their steps and
// parameters are data (svc.flow), as are workflows: a run keeps the steps that it began with, and
// is started by others than this server, too.
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
