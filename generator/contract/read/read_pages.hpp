// Reading pages and components of the whole contract.
#pragma once

#include "contract/pages.hpp"
#include "contract/read/reader.hpp"

namespace svc::contract {

std::vector<Page> read_pages(const Reader& contract);
std::vector<Component> read_components(const Reader& contract);

}  // namespace svc::contract
