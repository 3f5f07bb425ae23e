// Where in a JSON text each value stands, by JSON pointer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "diag/finding.hpp"

namespace svc::diag {

struct Position {
    int line = 0;
    int column = 0;
};

class SourceMap {
  public:
    // `text` must be valid JSON; what follows a mistake is not mapped.
    explicit SourceMap(std::string_view text);

    // Of the value at `pointer`; of its nearest parent that exists where it does not. A pointer
    // that ends in "#key" is the position of the last member's name; in "#again", of its first
    // repetition.
    Position find(std::string_view pointer) const;
    // Gives every finding without a line its position. Its path may end in "#key" until then.
    void locate(Findings& findings) const;

  private:
    std::map<std::string, Position, std::less<>> values_;
    std::map<std::string, Position, std::less<>> keys_;
};

}  // namespace svc::diag
