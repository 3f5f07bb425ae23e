// A text with replaced parts, which maps each byte of the result to the original.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace svc::query {

// `length` bytes from `at` on give way to `text`.
struct Edit {
    std::size_t at = 0;
    std::size_t length = 0;
    std::string text;
};

class Edited {
  public:
    // Edits in any order that do not overlap.
    Edited(std::string_view source, std::vector<Edit> edits);

    const std::string& text() const { return text_; }
    // The place in the original; of a new text, where the old one began.
    std::size_t to_source(std::size_t offset) const;

  private:
    struct Piece {
        std::size_t from, source;  // where it begins here and there
        bool copied;
    };
    std::string text_;
    std::vector<Piece> pieces_;
};

}  // namespace svc::query
