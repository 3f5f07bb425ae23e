// E-mail addresses as accounts are known by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::auth {

// In lower case, of at most 254 ASCII characters. Its host may be one label, as root@localhost.
bool is_plain_address(std::string_view email);

// Trimmed and in lower case; nothing if it is not an address of at most 254 ASCII characters.
std::optional<std::string> normalised_email(std::string_view text);

}  // namespace svc::auth
