// Tokens of a text, guessed: each provider cuts texts its own way, and many do not say how.
#pragma once

#include <cstdint>
#include <string_view>

namespace svc::ai {

// Four letters of ASCII are a token, and so is each other character. Texts may come in pieces.
class TokenEstimate {
  public:
    void add(std::string_view text);
    // A message beside its text costs a few.
    void add_message(std::string_view text);
    std::int64_t tokens() const { return (ascii_ + 3) / 4 + other_; }

  private:
    std::int64_t ascii_ = 0, other_ = 0;
};

}  // namespace svc::ai
