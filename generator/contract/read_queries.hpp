// Named queries, as they stand in the contract.
#pragma once

#include <vector>

#include "contract/queries.hpp"
#include "contract/reader.hpp"

namespace svc::contract {

// Of the contract's "queries".
std::vector<Query> read_queries(const Reader& contract);

}  // namespace svc::contract
