// The state of a payment, for showing the block pay and for its actions.
#pragma once

#include <algorithm>

#include "page/visit.hpp"

namespace svc::page {

inline bool offers(const Block& block, std::string_view method) {
    return std::ranges::find(block.methods, method) != block.methods.end();
}

}  // namespace svc::page
