// The parameters of a query, a function or a workflow.
#pragma once

#include <optional>
#include <vector>

#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

class Reader;

struct Param {
    Text name, type;
    bool required = false;
    std::optional<Value> default_value;
    std::string path;
};

// Reads the key "params".
std::vector<Param> read_params(const Reader& in);

}  // namespace svc::contract
