// The form of e-mail addresses that identifies accounts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::auth {

// True for an address in lower case of at most 254 ASCII characters. Its host may be one label, as
// in root@localhost.
bool is_plain_address(std::string_view email);

// The address, trimmed and in lower case. Nothing if it is not an address of at most 254 ASCII
// characters.
std::optional<std::string> normalised_email(std::string_view text);

}  // namespace svc::auth
