// The place of a row in the order of a list.
#pragma once

#include "data/sort.hpp"

namespace svc::data::list {

// SQL that holds for the rows after the one with these values, one a key.
std::string rows_after(const Order& order, const std::vector<std::optional<std::string>>& values,
                       QueryText& query);

}  // namespace svc::data::list
