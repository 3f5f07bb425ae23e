#include "auth/email.hpp"

#include "base/ascii.hpp"

namespace svc::auth {
namespace {

constexpr std::size_t kMaxLength = 254;
constexpr std::size_t kMaxLocal = 64;
constexpr std::size_t kMaxLabel = 63;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const auto first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool letter_or_digit(char c) { return base::is_lower(c) || base::is_digit(c); }

// Dots only between other characters, as RFC 5321 has it for what is not quoted.
bool local_part(std::string_view local) {
    if (local.empty() || local.size() > kMaxLocal) return false;
    if (local.front() == '.' || local.back() == '.') return false;
    if (local.find("..") != std::string_view::npos) return false;
    for (char c : local)
        if (!letter_or_digit(c) &&
            std::string_view(".!#$%&'*+-/=?^_`{|}~").find(c) == std::string_view::npos)
            return false;
    return true;
}

bool label(std::string_view label) {
    if (label.empty() || label.size() > kMaxLabel) return false;
    if (label.front() == '-' || label.back() == '-') return false;
    for (char c : label)
        if (!letter_or_digit(c) && c != '-') return false;
    return true;
}

bool domain(std::string_view domain) {
    for (;;) {
        const auto dot = domain.find('.');
        if (!label(domain.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        domain.remove_prefix(dot + 1);
    }
}

}  // namespace

bool is_plain_address(std::string_view email) {
    const auto at = email.rfind('@');
    return email.size() <= kMaxLength && at != std::string_view::npos &&
           local_part(email.substr(0, at)) && domain(email.substr(at + 1));
}

std::optional<std::string> normalised_email(std::string_view text) {
    std::string email = base::lower(trimmed(text));
    if (!is_plain_address(email) || email.find('.', email.rfind('@')) == std::string::npos)
        return std::nullopt;
    return email;
}

}  // namespace svc::auth
