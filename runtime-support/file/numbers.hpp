// Counts of bytes, as headers and queries give them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace svc::file {

// Reads digits only; nothing if the number does not fit.
inline std::optional<std::uint64_t> whole(std::string_view text) {
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return out;
}

}  // namespace svc::file
