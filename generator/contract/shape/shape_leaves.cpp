#include "contract/shape/shape_leaves.hpp"

#include <algorithm>

#include "contract/shape/shape.hpp"

namespace svc::contract {

using Kind = Value::Kind;

bool ShapeLeaves::expect(const Value& value, Kind kind, std::string_view name) {
    if (!value.is(kind)) report_.wrong_type(value, name, kind);
    return value.is(kind);
}

bool ShapeLeaves::string(const Value& value, const Key& key) {
    if (!expect(value, Kind::string, key.name)) return false;
    if (key.one_of.empty() ||
        std::find(key.one_of.begin(), key.one_of.end(), value.text) != key.one_of.end())
        return true;
    report_.unknown_value(value, key);
    return false;
}

// A bad name is still the name that others use.
bool ShapeLeaves::identifier(const Value& value, const Key& key) {
    if (!expect(value, Kind::string, key.name)) return false;
    if (!is_identifier(value.text)) report_.bad_name(value.path, value.text);
    return true;
}

bool ShapeLeaves::pascal_name(const Value& value, const Key& key) {
    if (!expect(value, Kind::string, key.name)) return false;
    if (!is_pascal_name(value.text)) report_.bad_pascal_name(value);
    return true;
}

bool ShapeLeaves::secret(const Value& value, const Key& key) {
    if (!expect(value, Kind::string, key.name)) return false;
    if (!is_secret(value.text)) report_.bad_secret(value, key);
    return is_secret(value.text);
}

bool ShapeLeaves::duration(const Value& value, const Key& key) {
    if (!expect(value, Kind::string, key.name)) return false;
    const std::string& text = value.text;
    const bool sound = text.size() >= 2 && text.size() <= 7 &&
                       text.find_first_not_of("0123456789") == text.size() - 1 &&
                       std::string_view("smhd").find(text.back()) != std::string_view::npos;
    if (!sound) report_.bad_duration(value);
    return sound;
}

bool ShapeLeaves::count(const Value& value, const Key& key) {
    if (!expect(value, Kind::number, key.name)) return false;
    const bool digits = value.text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && value.text.size() <= 9) return true;
    findings_.error(
        "WRONG_TYPE", value.path,
        json_string(key.name) + " must be a whole number from 0, but is " + value.text + ".",
        "write a whole number without a sign, such as 10");
    return false;
}

}  // namespace svc::contract
