// Files of the sources that svcd carries within itself: schema.sql, contract-guide.md.
#pragma once

#include <string_view>

namespace svc::devapi {

// Empty for a name that is not there.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::devapi
