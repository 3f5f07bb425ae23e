// The arithmetic of Number.
#include <algorithm>

#include "svc/number.hpp"

namespace svc {
namespace {

constexpr int kBase = Number::kBase;
// As in PostgreSQL's numeric: a quotient has at least 16 significant digits.
constexpr int kQuotientDigits = 16;
constexpr int kMaxScale = 16'383;
constexpr int kMaxQuotientScale = 1'000;

using Digits = std::vector<std::int32_t>;

// a - b * factor over the places of b from `at` on; the borrow that is left.
std::int64_t subtract_product(Digits& a, std::size_t at, const Digits& b, std::int64_t factor) {
    std::int64_t borrow = 0;
    for (std::size_t i = b.size(); i-- > 0;) {
        std::int64_t value = a[at + i] - b[i] * factor - borrow;
        borrow = value < 0 ? (-value + kBase - 1) / kBase : 0;
        a[at + i] = static_cast<std::int32_t>(value + borrow * kBase);
    }
    return borrow;
}

void add_back(Digits& a, std::size_t at, const Digits& b) {
    std::int32_t carry = 0;
    for (std::size_t i = b.size(); i-- > 0;) {
        const std::int32_t value = a[at + i] + b[i] + carry;
        carry = value >= kBase ? 1 : 0;
        a[at + i] = value - carry * kBase;
    }
    if (at > 0) a[at - 1] += carry;
}

// Whole quotient of a (with a leading zero) by b, digit by digit. Each is guessed from the first
// two digits of b, never too small by more than the loop mends.
Digits quotient(Digits a, const Digits& b) {
    Digits out;
    const std::int64_t lead = std::int64_t{b[0]} * kBase + (b.size() > 1 ? b[1] : 0);
    for (std::size_t at = 1; at + b.size() <= a.size(); ++at) {
        std::int64_t head = std::int64_t{a[at - 1]} * kBase + a[at];
        head = head * kBase + (b.size() > 1 ? a[at + 1] : 0);
        std::int64_t guess = std::min<std::int64_t>(head / lead, kBase - 1);
        a[at - 1] -= static_cast<std::int32_t>(subtract_product(a, at, b, guess));
        while (a[at - 1] < 0) {
            --guess;
            add_back(a, at, b);
        }
        out.push_back(static_cast<std::int32_t>(guess));
    }
    return out;
}

}  // namespace

Number Number::operator-() const {
    Number out = *this;
    if (kind_ == Kind::infinite || !digits_.empty()) out.negative_ = !negative_;
    return out;
}

Number Number::absolute() const {
    Number out = *this;
    out.negative_ = false;
    return out;
}

// For finite numbers: adds the sizes, or subtracts the other's size from this one's, which is not
// smaller.
Number Number::merged(const Number& other, int sign) const {
    Number out;
    out.scale_ = std::max(scale_, other.scale_);
    out.negative_ = negative_;
    const int top = std::max(weight_, other.weight_) + 1;
    const int bottom = std::min(weight_ - static_cast<int>(digits_.size()),
                                other.weight_ - static_cast<int>(other.digits_.size())) +
                       1;
    out.weight_ = top;
    std::int32_t carry = 0;
    for (int weight = bottom; weight <= top; ++weight) {
        std::int32_t value = digit(weight) + sign * other.digit(weight) + carry;
        carry = value < 0 ? -1 : value >= kBase ? 1 : 0;
        out.digits_.push_back(value - carry * kBase);
    }
    std::reverse(out.digits_.begin(), out.digits_.end());
    out.tidy();
    return out;
}

Number Number::plus(const Number& other) const {
    if (kind_ == Kind::nan || other.kind_ == Kind::nan) return special(Kind::nan, false);
    if (kind_ == Kind::infinite && other.kind_ == Kind::infinite) {
        return negative_ == other.negative_ ? *this : special(Kind::nan, false);
    }
    if (kind_ == Kind::infinite) return *this;
    if (other.kind_ == Kind::infinite) return other;
    if (negative_ == other.negative_) return merged(other, 1);
    return compare_size(other) >= 0 ? merged(other, -1) : other.merged(*this, -1);
}

Number Number::times(const Number& other) const {
    if (kind_ == Kind::nan || other.kind_ == Kind::nan || is_zero() || other.is_zero()) {
        const bool finite = kind_ == Kind::finite && other.kind_ == Kind::finite;
        if (!finite) return special(Kind::nan, false);
    } else if (kind_ == Kind::infinite || other.kind_ == Kind::infinite) {
        return special(Kind::infinite, negative_ != other.negative_);
    }
    Number out;
    out.scale_ = scale_ + other.scale_;
    out.negative_ = negative_ != other.negative_;
    out.weight_ = weight_ + other.weight_ + 1;
    std::vector<std::int64_t> sums(digits_.size() + other.digits_.size());
    for (std::size_t i = 0; i < digits_.size(); ++i) {
        for (std::size_t j = 0; j < other.digits_.size(); ++j) {
            sums[i + j + 1] += std::int64_t{digits_[i]} * other.digits_[j];
        }
    }
    for (std::size_t i = sums.size(); i-- > 1;) {
        sums[i - 1] += sums[i] / kBase;
        sums[i] %= kBase;
    }
    out.digits_.assign(sums.begin(), sums.end());
    out.tidy();
    return out.scale_ > kMaxScale ? out.rounded(kMaxScale) : out;
}

// How many digits after the point PostgreSQL gives a quotient.
int Number::quotient_places(const Number& divisor) const {
    const std::int32_t first = digits_.empty() ? 0 : digits_[0];
    const std::int32_t second = divisor.digits_[0];
    const int weight = weight_ - divisor.weight_ - (first <= second ? 1 : 0);
    const int places = std::max({kQuotientDigits - weight * kPlaces, scale_, divisor.scale_, 0});
    return std::min(places, kMaxQuotientScale);
}

Number Number::divided(const Number& divisor, int places, bool rounds) const {
    Number out;
    out.scale_ = places;
    if (digits_.empty()) return out;
    // One digit more than is kept, for rounding.
    const int kept = (places + kPlaces - 1) / kPlaces + (rounds ? 1 : 0);
    const auto exponent = [](const Number& n) {
        return n.weight_ - static_cast<int>(n.digits_.size()) + 1;
    };
    const int shift = kept + exponent(*this) - exponent(divisor);
    Digits a = digits_;
    Digits b = divisor.digits_;
    (shift >= 0 ? a : b)
        .resize((shift >= 0 ? a : b).size() + static_cast<std::size_t>(std::abs(shift)));
    a.insert(a.begin(), 0);
    out.digits_ = quotient(std::move(a), b);
    out.weight_ = static_cast<int>(out.digits_.size()) - 1 - kept;
    out.negative_ = negative_ != divisor.negative_;
    out.tidy();
    return rounds ? out.rounded(places) : out;
}

Number Number::over(const Number& divisor) const {
    if (kind_ == Kind::nan || divisor.kind_ == Kind::nan) return special(Kind::nan, false);
    if (kind_ == Kind::infinite) {
        return divisor.kind_ == Kind::infinite
                   ? special(Kind::nan, false)
                   : special(Kind::infinite, negative_ != divisor.negative_);
    }
    if (divisor.kind_ == Kind::infinite) return {};
    return divided(divisor, quotient_places(divisor), true);
}

Number Number::whole_over(const Number& divisor) const { return divided(divisor, 0, false); }

Number Number::rounded(int places) const {
    if (kind_ != Kind::finite) return *this;
    Number out = *this;
    out.scale_ = places;
    // The digit of base 10,000 that holds the last place kept, and its unit.
    const int weight = -((places + kPlaces - 1) / kPlaces);
    const int inside = weight * -kPlaces - places;  // places of it that go
    std::int32_t unit = 1;
    for (int i = 0; i < inside; ++i) unit *= 10;
    const std::int32_t half = unit > 1 ? unit / 2 : kBase / 2;
    const bool up = unit > 1 ? out.digit(weight) % unit >= half : out.digit(weight - 1) >= half;
    const int keep = std::max(weight_ - weight + 1, 0);
    if (keep < static_cast<int>(out.digits_.size()))
        out.digits_.resize(static_cast<std::size_t>(keep));
    if (keep > 0 && keep <= static_cast<int>(out.digits_.size())) {
        out.digits_.back() -= out.digits_.back() % unit;
    }
    out.tidy();
    if (!up) return out;
    Number step = unit;
    step.weight_ += weight;
    step.negative_ = negative_;
    if (out.digits_.empty()) out.negative_ = negative_;
    Number sum = out.merged(step, 1);
    sum.scale_ = places;
    return sum;
}

Maybe<Number> operator+(const Maybe<Number>& a, const Maybe<Number>& b) {
    return a.known() && b.known() ? Maybe<Number>((*a).plus(*b)) : Maybe<Number>();
}

Maybe<Number> operator-(const Maybe<Number>& a, const Maybe<Number>& b) { return a + -b; }

Maybe<Number> operator*(const Maybe<Number>& a, const Maybe<Number>& b) {
    return a.known() && b.known() ? Maybe<Number>((*a).times(*b)) : Maybe<Number>();
}

Maybe<Number> operator/(const Maybe<Number>& a, const Maybe<Number>& b) {
    const bool possible = a.known() && b.known() && !(*b).is_zero();
    return possible ? Maybe<Number>((*a).over(*b)) : Maybe<Number>();
}

Maybe<Number> operator-(const Maybe<Number>& a) { return a.known() ? Maybe<Number>(-*a) : a; }

Maybe<Number> whole_quotient(const Maybe<Number>& a, const Maybe<Number>& b) {
    const bool possible = a.known() && b.known() && !(*b).is_zero();
    return possible ? Maybe<Number>((*a).whole_over(*b)) : Maybe<Number>();
}

Maybe<Number> rounded(const Maybe<Number>& a, int places) {
    return a.known() ? Maybe<Number>((*a).rounded(places)) : a;
}

Maybe<Number> absolute(const Maybe<Number>& a) {
    return a.known() ? Maybe<Number>((*a).absolute()) : a;
}

Maybe<Number> number(std::string_view digits) { return Number::parse(digits); }

}  // namespace svc
