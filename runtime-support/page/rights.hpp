// The caller's rights on one row, asked before a page offers an action. A page must not offer what
// the policy then refuses.
#pragma once

#include <string>
#include <vector>

#include "page/visit.hpp"

namespace svc::page {

// The rights on a row that the caller may read; for other rows the answer means nothing. At most
// one exchange with the database for a row and a visit, and none if the rights are the same for
// all rows. If the database does not answer, the rights on some row: the write itself decides.
Task<Rights> rights_on(Visit& visit, const Entity& entity, std::string id);

// Which of these rows, all of which the caller reads, the caller may update. One exchange however
// many they are, and none if the right is the same for all.
Task<std::vector<bool>> may_update_rows(Visit& visit, const Entity& entity,
                                        const std::vector<std::string>& ids);

// True if the caller may create rows of `entity` whose `column` refers to the row `id`. Also true
// if other values decide, because nobody knows these before.
Task<bool> may_create_under(Visit& visit, const Entity& entity, std::string_view column,
                            std::string id);

}  // namespace svc::page
