#include "base/currency.hpp"

#include <algorithm>
#include <iterator>

namespace svc::base {
namespace {

// Currencies without two decimals. MRU and MGA have a smallest unit of a fifth, which ISO 4217
// writes with two decimals.
constexpr std::string_view kNone[] = {"bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg",
                                      "rwf", "ugx", "uyi", "vnd", "vuv", "xaf", "xof", "xpf"};
constexpr std::string_view kThree[] = {"bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"};
constexpr std::string_view kFour[] = {"clf", "uyw"};
// Currencies without decimals that are still charged in hundredths.
constexpr std::string_view kInHundredths[] = {"isk", "ugx"};
// Currencies with two decimals that are charged in whole units.
constexpr std::string_view kInWhole[] = {"mga"};

template <class Names>
bool among(const Names& names, std::string_view code) {
    return std::find(std::begin(names), std::end(names), code) != std::end(names);
}

}  // namespace

Currency currency(std::string_view code) {
    Currency out;
    if (among(kNone, code)) out.exponent = 0;
    if (among(kFour, code)) out.exponent = 4;
    if (among(kThree, code)) {
        out.exponent = 3;
        out.step = 10;
    }
    if (among(kInHundredths, code)) out.charge_factor = 100;
    if (among(kInWhole, code)) {
        out.charge_factor = -100;
        out.step = 100;
    }
    return out;
}

std::uint64_t units_of_whole(const Currency& currency) {
    std::uint64_t out = 1;
    for (unsigned i = 0; i < currency.exponent; ++i) out *= 10;
    return out;
}

}  // namespace svc::base
