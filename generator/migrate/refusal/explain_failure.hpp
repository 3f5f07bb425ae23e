// Explains a change that PostgreSQL refuses: its purpose, and what its author can do.
#pragma once

#include <string>

#include "migrate/diff/diff.hpp"

namespace svc::migrate {

// "add the column colour of product", "create the index order_user_id_idx on order".
std::string words_of(const Step& step);
// The fix for the SQLSTATE, if there is one, and the statement.
std::string fix_of(const std::string& state, const std::string& sql);

}  // namespace svc::migrate
