// What a change that PostgreSQL refuses was for, and what its author can do about it.
#pragma once

#include <string>

#include "migrate/diff.hpp"

namespace svc::migrate {

// "add the column colour of product", "create the index order_user_id_idx on order".
std::string words_of(const Step& step);
// What to do by the SQLSTATE, if it says that, and the statement.
std::string mend(const std::string& state, const std::string& sql);

}  // namespace svc::migrate
