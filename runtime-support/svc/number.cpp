#include "svc/number.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace svc {
namespace {

constexpr int kMaxExponent = 200'000;  // beyond all that numeric holds

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "12.5e-3": its digits without a point, and how many of them stand after it.
struct Written {
    std::string digits;
    int scale = 0;
    bool negative = false;
};

bool read_exponent(std::string_view text, int& exponent) {
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    if (text.empty() || text.size() > 6 || !std::all_of(text.begin(), text.end(), is_digit)) {
        return false;
    }
    exponent = std::atoi(std::string(text).c_str()) * (negative ? -1 : 1);
    return exponent > -kMaxExponent && exponent < kMaxExponent;
}

bool read(std::string_view text, Written& out) {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        out.negative = text[0] == '-';
        text.remove_prefix(1);
    }
    bool point = false;
    std::size_t at = 0;
    for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
        if (text[at] == '.') {
            point = true;
        } else {
            out.digits += text[at];
            out.scale += point ? 1 : 0;
        }
    }
    if (out.digits.empty()) return false;
    if (at == text.size()) return true;
    int exponent = 0;
    if ((text[at] | 0x20) != 'e' || !read_exponent(text.substr(at + 1), exponent)) return false;
    out.scale -= exponent;
    if (out.scale < 0) {
        out.digits.append(static_cast<std::size_t>(-out.scale), '0');
        out.scale = 0;
    }
    return true;
}

}  // namespace

Number::Number(std::int64_t value) : negative_(value < 0) {
    auto rest = static_cast<std::uint64_t>(value);
    if (negative_) rest = 0 - rest;
    for (; rest > 0; rest /= kBase) digits_.insert(digits_.begin(), static_cast<int>(rest % kBase));
    weight_ = static_cast<int>(digits_.size()) - 1;
    tidy();
}

Maybe<Number> Number::parse(std::string_view text) {
    if (text == "NaN") return special(Kind::nan, false);
    if (text == "Infinity") return special(Kind::infinite, false);
    if (text == "-Infinity") return special(Kind::infinite, true);
    Written written;
    if (!read(text, written)) return {};
    Number out;
    out.scale_ = written.scale;
    out.negative_ = written.negative;
    // The point falls between two digits of base 10,000.
    std::string& digits = written.digits;
    const int before = static_cast<int>(digits.size()) - written.scale;
    const int lead = ((-before) % kPlaces + kPlaces) % kPlaces;
    digits.insert(0, static_cast<std::size_t>(lead), '0');
    while (digits.size() % kPlaces != 0) digits += '0';
    for (std::size_t i = 0; i < digits.size(); i += kPlaces) {
        out.digits_.push_back(std::atoi(digits.substr(i, kPlaces).c_str()));
    }
    out.weight_ = (before + lead) / kPlaces - 1;
    out.tidy();
    return out;
}

Number Number::of(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", value);
    const std::string_view view = text;
    if (view.find("nan") != std::string_view::npos) return special(Kind::nan, false);
    if (view.find("inf") != std::string_view::npos) return special(Kind::infinite, view[0] == '-');
    return *parse(view);
}

Number Number::special(Kind kind, bool negative) {
    Number out;
    out.kind_ = kind;
    out.negative_ = negative;
    return out;
}

void Number::tidy() {
    const auto first =
        std::find_if(digits_.begin(), digits_.end(), [](std::int32_t digit) { return digit != 0; });
    weight_ -= static_cast<int>(first - digits_.begin());
    digits_.erase(digits_.begin(), first);
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
    if (digits_.empty()) {
        weight_ = 0;
        negative_ = false;
    }
}

int Number::rank() const {
    switch (kind_) {
        case Kind::finite:
            return 0;
        case Kind::infinite:
            return negative_ ? -1 : 1;
        case Kind::nan:
            return 2;
    }
    return 0;
}

std::int32_t Number::digit(int weight) const {
    const int at = weight_ - weight;
    return at < 0 || at >= static_cast<int>(digits_.size()) ? 0
                                                            : digits_[static_cast<std::size_t>(at)];
}

int Number::compare_size(const Number& other) const {
    if (digits_.empty() || other.digits_.empty()) {
        return static_cast<int>(!digits_.empty()) - static_cast<int>(!other.digits_.empty());
    }
    if (weight_ != other.weight_) return weight_ < other.weight_ ? -1 : 1;
    if (digits_ == other.digits_) return 0;
    return digits_ < other.digits_ ? -1 : 1;
}

int Number::compare(const Number& other) const {
    if (rank() != other.rank()) return rank() < other.rank() ? -1 : 1;
    if (kind_ != Kind::finite) return 0;
    if (negative_ != other.negative_) return negative_ ? -1 : 1;
    return negative_ ? other.compare_size(*this) : compare_size(other);
}

std::string Number::text() const {
    if (kind_ == Kind::nan) return "NaN";
    if (kind_ == Kind::infinite) return negative_ ? "-Infinity" : "Infinity";
    std::string whole, fraction;
    char four[8];
    for (int weight = std::max(weight_, 0); weight >= -(scale_ + kPlaces - 1) / kPlaces; --weight) {
        std::snprintf(four, sizeof four, "%04d", static_cast<int>(digit(weight)));
        (weight >= 0 ? whole : fraction) += four;
    }
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
    fraction.resize(static_cast<std::size_t>(scale_), '0');
    return (negative_ ? "-" : "") + whole + (scale_ > 0 ? "." + fraction : "");
}

}  // namespace svc
