// The messages of check_shape.
#pragma once

#include <string>
#include <string_view>

#include "contract/keys/keys.hpp"
#include "contract/value.hpp"

namespace svc::contract {

class ShapeReport {
  public:
    explicit ShapeReport(diag::Findings& findings) : findings_(findings) {}

    // `name` of the key or noun; empty: the contract itself. `wanted`: "a list of strings".
    void wrong_type(const Value& value, std::string_view name, std::string_view wanted,
                    std::string fix = {});
    void wrong_type(const Value& value, std::string_view name, Value::Kind wanted);
    // For a single string, the fix is a list with it.
    void no_list(const Value& value, std::string_view name, std::string_view wanted);
    // The finding for strings in the place of lists of strings.
    void list_of_one(const Value& list, std::string_view name);
    void no_expression(const Value& value, std::string_view name);
    // The key that the author may have meant, or empty.
    std::string unknown_key(const Member& member, const Shape& shape);
    void missing_key(const Value& object, const Shape& shape, const Key& key);
    void unknown_value(const Value& value, const Key& key);
    void bad_name(const std::string& path, std::string_view name);
    void bad_pascal_name(const Value& value);
    // The value may be the secret itself, so the message does not quote it.
    void bad_secret(const Value& value, const Key& key);
    void bad_duration(const Value& value);
    // The finding for a key that has no effect without one of other keys.
    void alone(const Member& member, std::span<const std::string_view> beside);
    void two_of_one(const Member& first, const Member& second, const Shape& shape);
    void none_of_one(const Value& object, const Shape& shape);

  private:
    diag::Findings& findings_;
};

}  // namespace svc::contract
