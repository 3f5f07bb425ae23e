// The types of JSON Schema, for every reader of schemas.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace svc::base {

// A JSON number as schemas compare it; 0 if the text is not a number.
template <class Value>
long double json_number(const Value& value) {
    return std::strtold(value.text.c_str(), nullptr);
}

// Whether a value, with its kind and its text, is of a type of JSON Schema. A number without
// fraction is an integer: 1.0 too.
template <class Value>
bool is_json_type(const Value& value, std::string_view type) {
    using Kind = typename Value::Kind;
    switch (value.kind) {
        case Kind::null:
            return type == "null";
        case Kind::boolean:
            return type == "boolean";
        case Kind::number:
            return type == "number" ||
                   (type == "integer" && std::floor(json_number(value)) == json_number(value));
        case Kind::string:
            return type == "string";
        case Kind::array:
            return type == "array";
        case Kind::object:
            return type == "object";
    }
    return false;
}

}  // namespace svc::base
