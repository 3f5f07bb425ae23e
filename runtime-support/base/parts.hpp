// Texts of several parts. A header alone, as ascii.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::base {

// "a, b, c" of a range of texts.
template <class Texts>
std::string joined(const Texts& texts, std::string_view between = ", ") {
    std::string out;
    bool first = true;
    for (const auto& text : texts) {
        if (!first) out += between;
        first = false;
        out += text;
    }
    return out;
}

// The parts between the separators, empty ones as well: one more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> out;
    for (;;) {
        const std::size_t end = text.find(at);
        out.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

}  // namespace svc::base
