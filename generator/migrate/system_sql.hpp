// The SQL files of runtime-support/db, compiled in.
#pragma once

#include <string_view>

namespace svc::migrate {

// Of one of them, by its file name, with :data_role and :system_role still in it; empty for any
// other name.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::migrate
