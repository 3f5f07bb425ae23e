#include "page/value/amount.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace svc::page {
namespace {

constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
    {"EUR", "€"}, {"USD", "$"}, {"GBP", "£"}, {"JPY", "¥"}, {"INR", "₹"}, {"KRW", "₩"}};

constexpr std::size_t kLongest = 200;  // characters of a number that somebody types

bool all_digits(std::string_view text) { return std::ranges::all_of(text, base::is_digit); }

// Sign, whole part, part after the point; a text with an exponent has none of them.
struct Digits {
    bool negative = false;
    std::string whole, fraction;
};

// 1,234,567: groups of three after a first one of one to three.
std::optional<std::string> without_commas(std::string_view whole) {
    if (whole.find(',') == std::string_view::npos) return std::string(whole);
    std::string out;
    bool first = true;
    while (true) {
        const std::string_view group = whole.substr(0, whole.find(','));
        const bool fits = first ? !group.empty() && group.size() <= 3 : group.size() == 3;
        if (!fits) return std::nullopt;
        out += group;
        first = false;
        if (group.size() == whole.size()) return out;
        whole.remove_prefix(group.size() + 1);
    }
}

std::optional<Digits> digits_of(std::string_view text) {
    text = base::trim(text);
    Digits out;
    if (text.size() > kLongest) return std::nullopt;
    if (text.starts_with('-') || text.starts_with('+')) {
        out.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto whole = without_commas(text.substr(0, point));
    if (!whole) return std::nullopt;
    out.whole = *whole;
    out.fraction = point < text.size() ? text.substr(point + 1) : std::string_view();
    if (out.whole.empty() && out.fraction.empty()) return std::nullopt;
    if (!all_digits(out.whole) || !all_digits(out.fraction)) return std::nullopt;
    const std::size_t zeros = std::min(out.whole.find_first_not_of('0'), out.whole.size());
    out.whole.erase(0, zeros);
    if (out.whole.empty()) out.whole = "0";
    return out;
}

// 1,234.5: every three digits of the whole part apart.
void append_grouped(std::string& out, const Digits& digits) {
    std::string_view left = digits.whole;
    std::size_t first = left.size() % 3;
    if (first == 0) first = std::min<std::size_t>(3, left.size());
    out += left.substr(0, first);
    for (left.remove_prefix(first); !left.empty(); left.remove_prefix(3))
        out.append(",").append(left.substr(0, 3));
    if (!digits.fraction.empty()) out.append(".").append(digits.fraction);
}

// Cents as an amount: so many of the digits stand after the point.
void set_point(Digits& cents, unsigned digits) {
    if (cents.whole.size() <= digits) cents.whole.insert(0, digits + 1 - cents.whole.size(), '0');
    cents.fraction = cents.whole.substr(cents.whole.size() - digits);
    cents.whole.erase(cents.whole.size() - digits);
}

bool is_zero(const Digits& digits) {
    return digits.whole == "0" && digits.fraction.find_first_not_of('0') == std::string::npos;
}

}  // namespace

std::string grouped(std::string_view number) {
    if (number.find(',') != std::string_view::npos) return std::string(number);
    const auto digits = digits_of(number);
    if (!digits) return std::string(number);
    std::string out = digits->negative ? "−" : "";
    append_grouped(out, *digits);
    return out;
}

std::string as_amount(std::string_view cents, unsigned digits) {
    auto read = digits_of(cents);
    if (!read || !read->fraction.empty()) return std::string(cents);
    set_point(*read, digits);
    std::string out = read->negative ? "-" : "";
    out += read->whole;
    if (digits > 0) out.append(".").append(read->fraction);
    return out;
}

std::string money(std::string_view cents, std::string_view currency, unsigned digits) {
    auto amount = digits_of(cents);
    if (!amount) return std::string(cents);
    if (amount->fraction.empty()) set_point(*amount, digits);
    std::string out = amount->negative ? "−" : "";
    const auto sign =
        std::ranges::find(kSigns, currency, &std::pair<std::string_view, std::string_view>::first);
    if (sign != std::end(kSigns))
        out += sign->second;
    else
        out.append(currency).append("\u00A0");
    append_grouped(out, *amount);
    return out;
}

std::optional<std::string> typed_number(std::string_view text) {
    const auto digits = digits_of(text);
    if (!digits) return std::nullopt;
    std::string out = digits->negative && !is_zero(*digits) ? "-" : "";
    out += digits->whole;
    if (!digits->fraction.empty()) out += "." + digits->fraction;
    return out;
}

std::optional<std::string> typed_money(std::string_view text, unsigned digits) {
    const auto read = digits_of(text);
    if (!read) return std::nullopt;
    std::string fraction = read->fraction;
    while (fraction.size() > digits && fraction.ends_with('0')) fraction.pop_back();
    if (fraction.size() > digits) return std::nullopt;
    fraction.append(digits - fraction.size(), '0');
    std::string cents = read->whole + fraction;
    cents.erase(0, std::min(cents.find_first_not_of('0'), cents.size() - 1));
    return (read->negative && cents != "0" ? "-" : "") + cents;
}

}  // namespace svc::page
