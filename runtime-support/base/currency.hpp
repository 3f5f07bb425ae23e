// The smallest units of currencies, and the units of card providers. Sources: ISO 4217 (exponents),
// and Stripe's "Zero-decimal currencies" and "Special cases".
#pragma once

#include <cstdint>
#include <string_view>

namespace svc::base {

struct Currency {
    unsigned exponent = 2;  // 10^exponent smallest units are one whole unit
    // A provider counts in units of its own: smallest units times this if it is positive,
    // divided by its amount if it is negative. ISK has no cents, and is charged in hundredths.
    int charge_factor = 1;
    // A card can be charged whole multiples of this many smallest units only: 10 if a coin of
    // one does not exist (three decimals).
    std::uint32_t step = 1;
};

// `code` is in lower case. An unknown currency has two decimals.
Currency currency(std::string_view code);

// 10^exponent.
std::uint64_t units_of_whole(const Currency& currency);

}  // namespace svc::base
