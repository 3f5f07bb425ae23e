// Contracts with one line of their access dropped, widened or turned round.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace svc::tests {

using Json = nlohmann::ordered_json;

struct Mutant {
    std::string name;    // product: field cost: read dropped
    std::string entity;  // whose exposure must change
    // The report must name one of these operations; "transition place" for a transition.
    std::vector<std::string> operations;
    std::string persona;  // must be reported, or a persona that extends it; empty: any
    std::string field;    // must be reported; empty: none
    std::string contract;
};

std::vector<Mutant> mutants(const Json& contract);

}  // namespace svc::tests
