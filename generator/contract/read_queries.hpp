// Named queries, and parameters as all that takes some declares them.
#pragma once

#include <vector>

#include "contract/queries.hpp"
#include "contract/reader.hpp"

namespace svc::contract {

// Of the object's "params"; none where absent.
std::vector<Param> read_params(const Reader& in);
// Of the contract's "queries".
std::vector<Query> read_queries(const Reader& contract);

}  // namespace svc::contract
