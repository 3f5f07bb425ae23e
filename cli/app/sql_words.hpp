// Properties of SQL by its words alone.
#pragma once

#include <string_view>

namespace svc::cli {

// True if it has a writing word outside of texts, quoted names and comments. The service itself
// enforces that reads only read; this is only for a question before.
bool may_write(std::string_view sql);

}  // namespace svc::cli
