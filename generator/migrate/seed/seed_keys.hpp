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

// References of seeds name an entity. Where that is all that differs, because the entity's table
// was renamed (`renamed`: the former name by the new one), the seed is as it was.
void follow_renamed(const plan::Plan& plan, const std::map<std::string, std::string>& renamed,
                    SeedRecords& recorded);

// A key identifies its row. A seed without a key ("#" and its place) is found by its values, then
// by its place; so is a new key if another one is gone. A row whose seed was removed stays, and is
// found again by its values.
SeedRecords match_seeds(const plan::Plan& plan, const SeedRecords& recorded);

}  // namespace svc::migrate
