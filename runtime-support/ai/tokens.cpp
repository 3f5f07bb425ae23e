#include "ai/tokens.hpp"

namespace svc::ai {

void TokenEstimate::add(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            ++ascii_;
        else if (byte >= 0xC0)  // begins a character
            ++other_;
    }
}

void TokenEstimate::add_message(std::string_view text) {
    constexpr std::int64_t kFrame = 4;
    add(text);
    other_ += kFrame;
}

}  // namespace svc::ai
