// Named queries, as the contract has them.
#pragma once

#include <vector>

#include "contract/queries.hpp"
#include "contract/read/reader.hpp"

namespace svc::contract {

// Reads the contract's "queries".
std::vector<Query> read_queries(const Reader& contract);

}  // namespace svc::contract
