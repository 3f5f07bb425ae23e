// What the buttons of a block "actions" do. Each answers with the way to another page, or leaves
// what is wrong in visit.problems. True: answered.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

Task<bool> move_row(Visit& visit, const Block& block, std::size_t number);
Task<bool> delete_row(Visit& visit, const Block& block, std::size_t number);

}  // namespace svc::page
