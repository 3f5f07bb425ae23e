// E-mail addresses as accounts are known by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::auth::account {

// Trimmed and in lower case; nothing where it is no address of at most 254 ASCII characters.
std::optional<std::string> normalised_email(std::string_view text);

}  // namespace svc::auth::account
