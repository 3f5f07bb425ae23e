// Shared by what the block pay shows and what it does.
#pragma once

#include <algorithm>

#include "page/visit.hpp"

namespace svc::page {

inline bool offers(const Block& block, std::string_view method) {
    return std::ranges::find(block.methods, method) != block.methods.end();
}

}  // namespace svc::page
