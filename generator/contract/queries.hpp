// Named queries as their author wrote them.
#pragma once

#include <optional>
#include <vector>

#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

// A value that a caller sends.
struct Param {
    Text name, type;
    bool required = false;
    std::optional<Value> default_value;
    std::string path;
};

struct Query {
    Text name, description, mode;
    std::vector<Param> params;
    Texts allow;
    Text sql;
    std::string path;
};

}  // namespace svc::contract
