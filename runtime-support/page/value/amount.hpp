// Numbers as people write them. Everything works on digits: no amount ever becomes a floating
// number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::page {

// 1234.5 as 1,234.5. Other text stays as it is.
std::string grouped(std::string_view number);
// 123450 cents as 1234.50; so many digits stand after the point.
std::string as_amount(std::string_view cents, unsigned digits);
// €1,234.50; a currency without a sign of its own stands before it as its code.
std::string money(std::string_view cents, std::string_view currency, unsigned digits);

// The typed text as a JSON number. It may have spaces around it, a sign, and commas between groups
// of three. None if it is not a number.
std::optional<std::string> typed_number(std::string_view text);
// An amount in cents. None if it is not a number, or has more digits after the point than the
// currency.
std::optional<std::string> typed_money(std::string_view text, unsigned digits);

}  // namespace svc::page
