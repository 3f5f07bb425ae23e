// What can be told of SQL by its words alone.
#pragma once

#include <string_view>

namespace svc::cli {

// A word that writes stands in it, outside of texts, quoted names and comments. The service itself
// holds what only reads to that; this is for asking first.
bool may_write(std::string_view sql);

}  // namespace svc::cli
