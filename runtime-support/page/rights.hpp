// What the caller may do with one row, asked before a page offers it. A page must not invite to
// what the policy then refuses.
#pragma once

#include <string>

#include "page/visit.hpp"

namespace svc::page {

// Of a row that the caller reads; of another the answer means nothing. One exchange with the
// database at most for a row and a visit, and none where no row makes a difference. Where the
// database cannot tell, what some row would allow: the write itself decides.
Task<Rights> rights_on(Visit& visit, const Entity& entity, std::string id);

// May the caller create rows of `entity` that refer by `column` to the row `id`? Where the values
// decide nobody knows before, so they may try.
Task<bool> may_create_under(Visit& visit, const Entity& entity, std::string_view column,
                            std::string id);

}  // namespace svc::page
