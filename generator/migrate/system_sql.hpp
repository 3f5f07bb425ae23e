// The SQL files of runtime-support/db, compiled in.
#pragma once

#include <string_view>

namespace svc::migrate {

// Of system.sql, accounts.sql, changes.sql or topics.sql, with :data_role and :system_role still in
// it; empty for any other name.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::migrate
