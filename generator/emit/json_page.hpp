// Prints JSON for readers: a value that fits is on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace svc::emit {

using Json = nlohmann::ordered_json;

// Ends in a line feed.
std::string json_page(const Json& value);

// Text between the quotes of a JSON string.
std::string json_escaped(const std::string& text);

}  // namespace svc::emit
