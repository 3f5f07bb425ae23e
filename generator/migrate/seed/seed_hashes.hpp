// The seed's value of each field when it was written last. A new version of a seed writes only the
// fields that it changes: people may have changed the others since.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace svc::migrate {

// A short hash of each column's value in the contract. Empty: not known.
using FieldHashes = std::map<std::string, std::string>;

FieldHashes field_hashes_of(const plan::SeedRow& row);
FieldHashes field_hashes_of(const plan::SeedUser& user);

// The columns whose value `now` changes; all of them if the earlier values are not known.
std::vector<std::string> changed(const FieldHashes& before, const FieldHashes& now);

// Prints them as JSON, {"column": "hash"}.
std::string to_json(const FieldHashes& field_hashes);

}  // namespace svc::migrate
