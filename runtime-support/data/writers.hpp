// The printers of svc/json.hpp for columns that are only known at run time.
#pragma once

#include <string_view>

#include "svc/entity.hpp"

namespace svc::data {

using Writer = void (*)(Out& out, std::string_view key, const Row& row, int column);

// The one that generated code calls for a column of this type.
Writer writer(Type type);

}  // namespace svc::data
