// The words of an enum: the texts that databases store and that requests and answers contain. They
// are declared beside the enum, in the order of its values, which count from 0:
//
//     enum class Light : std::uint8_t { green, red };
//     template <>
//     struct base::Words<Light> {
//         static constexpr std::array<std::string_view, 2> kAll = {"green", "red"};
//     };
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace svc::base {

template <class Enum>
struct Words;  // specialised with `static constexpr std::array<std::string_view, n> kAll`

template <class Enum>
constexpr std::string_view word(Enum value) {
    return Words<Enum>::kAll[static_cast<std::size_t>(value)];
}

// Nothing if it is not a word of the enum.
template <class Enum>
constexpr std::optional<Enum> read_word(std::string_view text) {
    const auto& all = Words<Enum>::kAll;
    const auto* const found = std::ranges::find(all, text);
    if (found == all.end()) return std::nullopt;
    return static_cast<Enum>(found - all.begin());
}

}  // namespace svc::base
