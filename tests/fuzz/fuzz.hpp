// What fuzzers share: claims about JSON that came out, and choices that are part of the input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "demand.hpp"
#include "json/formats.hpp"
#include "json/lexer.hpp"

namespace svc::fuzz {

// One JSON value and nothing else.
inline bool is_json(std::string_view text) {
    json::Lexer lexer(text);
    std::string_view value;
    return lexer.value(value) && lexer.expect_end();
}

// The input: choices first, then bytes.
class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size)
        : rest_(reinterpret_cast<const char*>(data), size) {}

    std::size_t choice(std::size_t count) {
        if (rest_.empty()) return 0;
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return byte % count;
    }
    std::uint64_t number() {
        std::uint64_t out = 0;
        for (int i = 0; i < 8; ++i) out = out << 8U | choice(256);
        return out;
    }
    std::string_view line() {
        const std::string_view out = rest_.substr(0, rest_.find('\n'));
        rest_.remove_prefix(std::min(rest_.size(), out.size() + 1));
        return out;
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

// Calls `take` with the text in pieces of this many bytes; of 0: all at once.
template <class Take>
void in_pieces(std::string_view text, std::size_t piece, Take take) {
    if (piece == 0) piece = text.size();
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
        take(text.substr(0, piece));
}

}  // namespace svc::fuzz
