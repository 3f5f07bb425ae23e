// The hash by which an apply sees whether a seed changed.
#pragma once

#include <string>

#include "plan/database.hpp"

namespace svc::plan {

// SHA-256 of the row's values, hex.
std::string seed_hash(const SeedRow& row);

}  // namespace svc::plan
