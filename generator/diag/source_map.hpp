// The positions of values in a JSON text, by JSON pointer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "diag/finding.hpp"

namespace svc::diag {

struct Position {
    int line = 0;
    int column = 0;          // in characters, from 1
    std::size_t offset = 0;  // of the byte, from 0
};

// A place inside the string at `pointer`, for findings until they are located: `offset` counts
// bytes of the string as it is meant, its escapes resolved.
std::string inside(const std::string& pointer, std::size_t offset);

class SourceMap {
  public:
    // `text` must be valid JSON and outlive the map. Text after a mistake is not mapped.
    explicit SourceMap(std::string_view text);

    // The position of the value at `pointer`, or of its nearest existing parent. A pointer that
    // ends in "#key" means the last member's name; one that ends in "#again", its first repetition;
    // one made by inside(), that byte.
    Position find(std::string_view pointer) const;
    // Gives every finding without a line its position. Its path may end in "#key" or be one of
    // inside() until then.
    void locate(Findings& findings) const;

  private:
    Position within(std::string_view pointer, std::size_t offset) const;

    std::string_view text_;
    std::map<std::string, Position, std::less<>> values_;
    std::map<std::string, Position, std::less<>> keys_;
};

}  // namespace svc::diag
