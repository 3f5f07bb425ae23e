// Codes of errors that other services answer.
#pragma once

#include <algorithm>
#include <string>

#include "base/ascii.hpp"

namespace svc::outgoing {

// A word such as invalid_api_key. Empty for any other text: it may repeat what the service was
// sent.
inline std::string error_word(const std::string& text) {
    constexpr std::size_t kMost = 40;
    const bool plain = text.size() <= kMost && std::ranges::all_of(text, [](char c) {
                           return base::is_lower(c) || c == '_';
                       });
    return plain ? text : std::string();
}

}  // namespace svc::outgoing
