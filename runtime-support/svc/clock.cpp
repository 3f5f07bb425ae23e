#include "svc/clock.hpp"

#include <limits>

namespace svc {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

template <class Int>
constexpr bool is_infinite(Int value) {
    return value == std::numeric_limits<Int>::max() || value == std::numeric_limits<Int>::min();
}

// Reads a text from its front.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    bool take(char c) {
        if (rest_.empty() || rest_[0] != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    // A whole number of at least two digits.
    bool number(std::int64_t& out) {
        std::size_t count = 0;
        for (out = 0; count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9'; ++count) {
            if (count == 7) return false;
            out = out * 10 + (rest_[count] - '0');
        }
        rest_.remove_prefix(count);
        return count >= 2;
    }
    // The digits after a point, as microseconds.
    bool fraction(std::int64_t& micros) {
        std::int64_t unit = kSecond / 10;
        std::size_t count = 0;
        for (micros = 0; count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9';
             ++count, unit /= 10) {
            micros += (rest_[count] - '0') * unit;
        }
        rest_.remove_prefix(count);
        return count > 0 && count <= 6;
    }

  private:
    std::string_view rest_;
};

// Days since 1970-01-01 in the Gregorian calendar; years before 1 count down from 0 (1 BC).
std::int64_t days_from(std::int64_t year, std::int64_t month, std::int64_t day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719'468;
}

struct WrittenDate {
    std::int64_t year = 0, month = 0, day = 0;
    std::int64_t days() const { return days_from(year, month, day); }
};

bool read_date(Scanner& in, WrittenDate& out) {
    return in.number(out.year) && in.take('-') && in.number(out.month) && in.take('-') &&
           in.number(out.day);
}

bool read_time(Scanner& in, std::int64_t& micros) {
    std::int64_t hours = 0, minutes = 0, seconds = 0, fraction = 0;
    if (!in.number(hours) || !in.take(':') || !in.number(minutes)) return false;
    if (in.take(':') && !in.number(seconds)) return false;
    if (in.take('.') && !in.fraction(fraction)) return false;
    micros = ((hours * 60 + minutes) * 60 + seconds) * kSecond + fraction;
    return true;
}

// Z, +02, +0200, +02:00, -04:56:02; nothing is UTC.
bool read_offset(Scanner& in, std::int64_t& micros) {
    micros = 0;
    if (in.take('Z') || in.take('z')) return true;
    const bool east = in.take('+');
    if (!east && !in.take('-')) return true;
    std::int64_t hours = 0, minutes = 0, seconds = 0;
    if (!in.number(hours)) return false;
    if (hours >= 100) {
        minutes = hours % 100;
        hours /= 100;
    }
    if (in.take(':') && !in.number(minutes)) return false;
    if (in.take(':') && !in.number(seconds)) return false;
    micros = ((hours * 60 + minutes) * 60 + seconds) * kSecond * (east ? 1 : -1);
    return true;
}

template <class Value, class Int>
bool read_infinity(std::string_view text, Maybe<Value>& out) {
    if (text == "infinity") out = Value{std::numeric_limits<Int>::max()};
    if (text == "-infinity") out = Value{std::numeric_limits<Int>::min()};
    return out.known();
}

Maybe<Moment> moved(const Maybe<Moment>& from, std::int64_t by) {
    Moment out = *from;
    if (is_infinite(out.micros)) return from;
    if (__builtin_add_overflow(out.micros, by, &out.micros)) return {};
    return out;
}

}  // namespace

Maybe<Day> day(std::string_view text) {
    Maybe<Day> out;
    if (read_infinity<Day, std::int32_t>(text, out)) return out;
    Scanner in(text);
    WrittenDate date;
    if (!read_date(in, date)) return {};
    if (in.take(" BC")) date.year = 1 - date.year;
    if (!in.at_end()) return {};
    return Day{static_cast<std::int32_t>(date.days())};
}

Maybe<TimeOfDay> time_of_day(std::string_view text) {
    Scanner in(text);
    TimeOfDay out;
    if (!read_time(in, out.micros) || !in.at_end()) return {};
    return out;
}

Maybe<Moment> moment(std::string_view text) {
    Maybe<Moment> out;
    if (read_infinity<Moment, std::int64_t>(text, out)) return out;
    Scanner in(text);
    WrittenDate date;
    std::int64_t time = 0, offset = 0;
    if (!read_date(in, date)) return {};
    if ((in.take('T') || in.take(' ')) && !(read_time(in, time) && read_offset(in, offset))) {
        return {};
    }
    if (in.take(" BC")) date.year = 1 - date.year;
    if (!in.at_end()) return {};
    return Moment{date.days() * kDay + time - offset};
}

Maybe<Moment> midnight(const Maybe<Day>& day) {
    if (!day.known()) return {};
    const std::int32_t days = (*day).days;
    if (days == std::numeric_limits<std::int32_t>::max()) {
        return Moment{std::numeric_limits<std::int64_t>::max()};
    }
    if (days == std::numeric_limits<std::int32_t>::min()) {
        return Moment{std::numeric_limits<std::int64_t>::min()};
    }
    return Moment{days * kDay};
}

Maybe<Day> day_of(const Maybe<Moment>& moment) {
    using Days = std::numeric_limits<std::int32_t>;
    if (!moment.known()) return {};
    const std::int64_t micros = (*moment).micros;
    if (is_infinite(micros)) return Day{micros > 0 ? Days::max() : Days::min()};
    const std::int64_t days = micros / kDay - (micros % kDay < 0 ? 1 : 0);
    return Day{static_cast<std::int32_t>(days)};
}

Maybe<Day> days_after(const Maybe<Day>& day, std::int64_t count) {
    if (!day.known() || is_infinite((*day).days)) return day;
    const std::int64_t days = (*day).days + count;
    if (days <= std::numeric_limits<std::int32_t>::min() ||
        days >= std::numeric_limits<std::int32_t>::max()) {
        return {};
    }
    return Day{static_cast<std::int32_t>(days)};
}

Maybe<Moment> operator+(const Maybe<Moment>& a, const Maybe<Span>& b) {
    return a.known() && b.known() ? moved(a, (*b).micros) : Maybe<Moment>();
}

Maybe<Moment> operator-(const Maybe<Moment>& a, const Maybe<Span>& b) { return a + -b; }

Maybe<Span> operator-(const Maybe<Moment>& a, const Maybe<Moment>& b) {
    Span out;
    if (!a.known() || !b.known() || is_infinite((*a).micros) || is_infinite((*b).micros)) return {};
    if (__builtin_sub_overflow((*a).micros, (*b).micros, &out.micros)) return {};
    return out;
}

Maybe<Span> operator+(const Maybe<Span>& a, const Maybe<Span>& b) {
    Span out;
    if (!a.known() || !b.known()) return {};
    if (__builtin_add_overflow((*a).micros, (*b).micros, &out.micros)) return {};
    return out;
}

Maybe<Span> operator-(const Maybe<Span>& a, const Maybe<Span>& b) { return a + -b; }

Maybe<Span> operator-(const Maybe<Span>& a) {
    return a.known() ? Maybe<Span>(Span{-(*a).micros}) : a;
}

Maybe<std::int64_t> operator-(const Maybe<Day>& a, const Maybe<Day>& b) {
    if (!a.known() || !b.known() || is_infinite((*a).days) || is_infinite((*b).days)) return {};
    return std::int64_t{(*a).days} - (*b).days;
}

}  // namespace svc
