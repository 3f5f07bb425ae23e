// svc.json -> Contract.
#pragma once

#include <optional>
#include <string_view>

#include "contract/contract.hpp"
#include "diag/finding.hpp"

namespace svc::contract {

struct Parsed {
    std::optional<Contract> contract;  // where there is no error
    diag::Findings findings;           // not located yet, but for mistakes of the JSON itself
};

// Never throws for what the text holds.
Parsed parse(std::string_view text);

}  // namespace svc::contract
