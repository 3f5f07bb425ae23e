// Matches each seed of the contract with a row that seeds made.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "migrate/seed/seed_said.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct Seeded {
    std::string id;
    std::string hash;
    bool made = true;  // of accounts: false if there was one of this address already
    Said said{};       // of its fields, by the version of the contract that it was seeded with

    bool operator==(const Seeded&) const = default;
};
using SeedKey = std::pair<std::string, std::string>;  // entity, key
using SeedBook = std::map<SeedKey, Seeded>;

// A key names its row. A seed without one ("#" and its place) is known by what it says, then by its
// place; so is a key that is new while another one is gone. What no seed is any more keeps its row,
// and is found again by what it said.
SeedBook match_seeds(const plan::Plan& plan, const SeedBook& recorded);

}  // namespace svc::migrate
