// Keys of one object together: required keys, keys that exclude each other, keys that need others.
#pragma once

#include <string>
#include <vector>

#include "contract/shape/shape_keep.hpp"
#include "contract/shape/shape_report.hpp"

namespace svc::contract {

class ShapeTogether {
  public:
    // `reported`: keys that have a finding already.
    ShapeTogether(ShapeReport& report, ShapeKeeper& keeper,
                  const std::vector<std::string>& reported)
        : report_(report), keeper_(keeper), reported_(reported) {}

    // If two keys exclude each other, the second one is removed from the object.
    bool sound(Value& value, const Shape& shape);

  private:
    bool has_required(const Value& value, const Shape& shape);
    bool has_one_key(Value& value, const Shape& shape);
    bool stand_right(const Value& value, const Shape& shape);

    ShapeReport& report_;
    ShapeKeeper& keeper_;
    const std::vector<std::string>& reported_;
};

}  // namespace svc::contract
