// The templates of templates/, compiled in: a generator needs no folder beside it.
#pragma once

#include <string_view>

namespace svc::emit {

// The text of templates/<file_name>; empty if there is none.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::emit
