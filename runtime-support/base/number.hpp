// A number from a text that this project wrote itself, such as a value of its own database, or from
// one where any other text may count as no number.
#pragma once

#include <charconv>
#include <string_view>

namespace svc::base {

// The number that the text begins with; `otherwise` if it begins with none.
template <class Number>
Number number_of(std::string_view text, Number otherwise = {}) {
    std::from_chars(text.data(), text.data() + text.size(), otherwise);
    return otherwise;
}

}  // namespace svc::base
