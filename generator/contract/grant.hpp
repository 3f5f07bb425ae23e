// The callers to whom something is allowed or denied, and the condition.
#pragma once

#include <optional>
#include <string>

#include "contract/text.hpp"

namespace svc::contract {

struct Grant {
    Text to;
    std::optional<Text> condition;
    std::optional<Texts> fields;
    std::string path;
};

}  // namespace svc::contract
