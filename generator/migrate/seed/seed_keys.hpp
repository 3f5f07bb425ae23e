// Matches each seed of the contract with a row that seeds made.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "migrate/seed/seed_hashes.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct SeedRecord {
    std::string id;
    std::string hash;
    bool made = true;  // of accounts: false if there was one of this address already
    FieldHashes
        field_hashes{};  // of its fields, by the version of the contract that it was seeded with

    bool operator==(const SeedRecord&) const = default;
};
using SeedKey = std::pair<std::string, std::string>;  // entity, key
using SeedRecords = std::map<SeedKey, SeedRecord>;

// A key names its row. A seed without one ("#" and its place) is known by what it says, then by its
// place; so is a key that is new while another one is gone. What no seed is any more keeps its row,
// and is found again by what it said.
SeedRecords match_seeds(const plan::Plan& plan, const SeedRecords& recorded);

}  // namespace svc::migrate
