// The form of names.
#include <algorithm>

#include "base/ascii.hpp"
#include "contract/shape/shape.hpp"

namespace svc::contract {
namespace {

constexpr std::size_t kMaxIdentifier = 48;
constexpr std::size_t kMaxSecretName = 100;

}  // namespace

bool is_identifier(std::string_view name) {
    if (name.empty() || name.size() > kMaxIdentifier || !base::is_lower(name.front())) return false;
    return std::all_of(name.begin(), name.end(),
                       [](char c) { return base::is_lower(c) || c == '_' || base::is_digit(c); });
}

bool is_pascal_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxIdentifier && name.front() >= 'A' &&
           name.front() <= 'Z' && std::all_of(name.begin(), name.end(), base::is_alphanumeric);
}

bool is_secret(std::string_view text) {
    if (!text.starts_with(kSecretPrefix)) return false;
    const std::string_view name = text.substr(kSecretPrefix.size());
    return !name.empty() && name.size() <= kMaxSecretName &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return c == '_' || base::is_alphanumeric(c); });
}

}  // namespace svc::contract
