// What names look like.
#include <algorithm>

#include "contract/shape.hpp"

namespace svc::contract {
namespace {

constexpr std::size_t kMaxIdentifier = 48;
constexpr std::size_t kMaxSecretName = 100;

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_identifier(std::string_view name) {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (name.empty() || name.size() > kMaxIdentifier || !lower(name.front())) return false;
    return std::all_of(name.begin(), name.end(),
                       [&](char c) { return lower(c) || c == '_' || (c >= '0' && c <= '9'); });
}

bool is_pascal_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxIdentifier && name.front() >= 'A' &&
           name.front() <= 'Z' && std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

bool is_secret(std::string_view text) {
    if (!text.starts_with(kSecretPrefix)) return false;
    const std::string_view name = text.substr(kSecretPrefix.size());
    return !name.empty() && name.size() <= kMaxSecretName &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return c == '_' || is_letter_or_digit(c); });
}

}  // namespace svc::contract
