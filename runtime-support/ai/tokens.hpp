// Estimates the tokens of a text. Each provider splits texts in its own way, and many do not say
// how.
#pragma once

#include <cstdint>
#include <string_view>

namespace svc::ai {

// Counts four ASCII characters as one token, and each other character as one. The text may arrive
// in pieces.
class TokenEstimate {
  public:
    void add(std::string_view text);
    // A message costs a few tokens more than its text.
    void add_message(std::string_view text);
    std::int64_t tokens() const { return (ascii_ + 3) / 4 + other_; }

  private:
    std::int64_t ascii_ = 0, other_ = 0;
};

}  // namespace svc::ai
