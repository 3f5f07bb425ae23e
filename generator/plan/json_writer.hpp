// Writes JSON in a fixed order, because the hash of a definition is the hash of its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"

namespace svc::plan {

using base::json_string;
// [a,b] of values that are JSON already.
std::string json_list(const std::vector<std::string>& items);

class JsonWriter {
  public:
    // `value` is JSON already.
    JsonWriter& put(std::string_view name, const std::string& value);
    JsonWriter& put_text(std::string_view name, std::string_view text);
    JsonWriter& put_number(std::string_view name, std::uint64_t number);
    std::string str() const { return out_ + "}"; }

  private:
    std::string out_ = "{";
};

}  // namespace svc::plan
