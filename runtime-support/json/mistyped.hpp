// The message for a value that does not fit its column.
#pragma once

#include <string>
#include <string_view>

#include "svc/entity.hpp"

namespace svc::json {

// price takes a whole number of cents, not "abc"
std::string mistyped(const Column& column, std::string_view shown);
std::string out_of_range(const Column& column, std::string_view shown);
std::string numbers_out_of_range(const Column& column);  // inside a JSON value
std::string too_long(const Column& column);

}  // namespace svc::json
