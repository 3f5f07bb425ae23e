// svc.json -> Contract.
#pragma once

#include <optional>
#include <string_view>

#include "contract/contract.hpp"
#include "diag/finding.hpp"

namespace svc::contract {

struct Parsed {
    // The parts that could be read. Faulty parts are left out, and their names are in doubt
    // (diag::Findings). Nothing if the text is not a JSON object.
    std::optional<Contract> contract;
    diag::Findings findings;  // not located yet, but for mistakes of the JSON itself
};

// Never throws for what the text holds.
Parsed parse(std::string_view text);

}  // namespace svc::contract
