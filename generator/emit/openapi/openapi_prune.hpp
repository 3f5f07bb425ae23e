// Components that no path of the document needs.
#pragma once

#include "emit/json_page.hpp"

namespace svc::emit {

// Removes components that nothing refers to.
void prune(Json& document);

}  // namespace svc::emit
