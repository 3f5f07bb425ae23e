// Whom something is allowed or denied, and when.
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
