// What the contract said of each field when it was seeded last. A new version of a seed writes only
// the fields of which it says something else: the others may have been changed by people since.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace svc::migrate {

// By column: a short hash of the value as the contract has it. Empty: not known.
using Said = std::map<std::string, std::string>;

Said said_of(const plan::SeedRow& row);
Said said_of(const plan::SeedUser& user);

// The columns of which `now` says something else; all of them if nothing is known of before.
std::vector<std::string> changed(const Said& before, const Said& now);

// As JSON, {"column": "hash"}.
std::string to_json(const Said& said);

}  // namespace svc::migrate
