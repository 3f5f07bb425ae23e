// Checks of values without members or items. Every method returns whether the value can be used.
#pragma once

#include <string_view>

#include "contract/keys/keys.hpp"
#include "contract/shape/shape_report.hpp"
#include "contract/value.hpp"

namespace svc::contract {

class ShapeLeaves {
  public:
    explicit ShapeLeaves(diag::Findings& findings) : findings_(findings), report_(findings) {}

    bool expect(const Value& value, Value::Kind kind, std::string_view name);
    bool string(const Value& value, const Key& key);
    // Other parts may still use a bad name.
    bool identifier(const Value& value, const Key& key);
    bool pascal_name(const Value& value, const Key& key);
    bool secret(const Value& value, const Key& key);
    bool duration(const Value& value, const Key& key);
    bool count(const Value& value, const Key& key);

  private:
    diag::Findings& findings_;
    ShapeReport report_;
};

}  // namespace svc::contract
