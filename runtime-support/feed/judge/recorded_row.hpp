// A row as a change recorded it, of which few columns are read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "svc/maybe.hpp"

namespace svc::feed {

class RecordedRow {
  public:
    // A JSON object, which outlives it; empty: there was no row.
    explicit RecordedRow(std::string_view json);

    bool there() const { return there_; }
    // The column's value as JSON. Nothing: the row is from before it had such a column.
    std::optional<std::string_view> value(std::string_view column) const;
    // The value of a column that value() has: a string's text; null if it is null.
    Maybe<std::string> text(std::string_view column) const;

  private:
    bool there_;
    std::vector<std::pair<std::string_view, std::string_view>> columns_;
};

}  // namespace svc::feed
