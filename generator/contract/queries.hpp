// Named queries as their author wrote them.
#pragma once

#include <optional>
#include <vector>

#include "contract/params.hpp"
#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

struct Query {
    Text name, description, mode;
    std::vector<Param> params;
    Texts allow;
    Text sql;
    std::string path;
};

}  // namespace svc::contract
