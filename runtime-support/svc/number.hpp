// Exact decimal numbers that compute like PostgreSQL's numeric, digit for digit: the same scale of
// a quotient, the same rounding, the same NaN and infinities.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "svc/maybe.hpp"

namespace svc {

class Number {
  public:
    static constexpr int kBase = 10'000;  // of the digits that it keeps
    static constexpr int kPlaces = 4;     // decimal digits in one of them

    Number() = default;
    Number(std::int64_t value);  // whole numbers are numbers
    Number(double) = delete;     // of() says how
    Number(int value) : Number(std::int64_t{value}) {}

    // Reads a numeric as PostgreSQL prints or accepts it; null for anything else.
    static Maybe<Number> parse(std::string_view text);
    // A double by its 15 sure digits, as PostgreSQL's cast to numeric takes it.
    static Number of(double value);

    // NaN equals itself and is above everything, as in PostgreSQL.
    friend bool operator==(const Number& a, const Number& b) { return a.compare(b) == 0; }
    friend bool operator<(const Number& a, const Number& b) { return a.compare(b) < 0; }

    Number operator-() const;
    Number plus(const Number& other) const;
    Number times(const Number& other) const;
    bool is_zero() const { return kind_ == Kind::finite && digits_.empty(); }
    Number over(const Number& divisor) const;        // divisor: not zero
    Number whole_over(const Number& divisor) const;  // of finite ones; cut towards zero
    Number rounded(int places) const;                // half away from zero
    Number absolute() const;

    std::string text() const;

  private:
    enum class Kind : std::uint8_t { finite, infinite, nan };

    static Number special(Kind kind, bool negative);
    int rank() const;  // finite ones between the infinities, NaN above
    int compare(const Number& other) const;
    int compare_size(const Number& other) const;  // of finite ones, without their signs
    std::int32_t digit(int weight) const;
    Number merged(const Number& other, int sign) const;
    Number divided(const Number& divisor, int places, bool rounds) const;
    int quotient_places(const Number& divisor) const;
    void tidy();

    // Base 10,000, most significant first, without zeros at either end; the first one counts
    // 10000^weight_. `scale_`: decimal digits shown after the point.
    std::vector<std::int32_t> digits_;
    int weight_ = 0;
    int scale_ = 0;
    bool negative_ = false;
    Kind kind_ = Kind::finite;
};

// Null if an operand is; division by zero is null.
Maybe<Number> operator+(const Maybe<Number>& a, const Maybe<Number>& b);
Maybe<Number> operator-(const Maybe<Number>& a, const Maybe<Number>& b);
Maybe<Number> operator*(const Maybe<Number>& a, const Maybe<Number>& b);
Maybe<Number> operator/(const Maybe<Number>& a, const Maybe<Number>& b);
Maybe<Number> operator-(const Maybe<Number>& a);
Maybe<Number> whole_quotient(const Maybe<Number>& a, const Maybe<Number>& b);
Maybe<Number> rounded(const Maybe<Number>& a, int places = 0);
Maybe<Number> absolute(const Maybe<Number>& a);
// A decimal literal, or a whole number where C++ would otherwise use its own arithmetic.
Maybe<Number> number(std::string_view digits);
inline Maybe<Number> number(std::int64_t value) { return Number(value); }
inline Maybe<Number> number(const Maybe<std::int64_t>& value) { return value; }

}  // namespace svc
