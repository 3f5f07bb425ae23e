#include "cli/base64.hpp"

namespace svc::cli {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> base64_bytes(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string out;
    out.reserve(text.size() * 3 / 4);
    unsigned held = 0, bits = 0;
    for (const char c : text) {
        const auto digit = kDigits.find(c);
        if (digit == kDigits.npos) return std::nullopt;
        held = (held << 6 | static_cast<unsigned>(digit)) & 0xffffU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out += static_cast<char>(held >> bits & 0xffU);
    }
    return out;
}

}  // namespace svc::cli
