#include "base/time/zone_rule.hpp"

#include <chrono>

#include "base/ascii.hpp"

namespace svc::base {
namespace {

constexpr std::int64_t kDay = 86400;

// Reads from the front of a text. Each function returns false if the text does not begin so.
class RuleText {
  public:
    explicit RuleText(std::string_view text) : rest_(text) {}

    bool done() const { return rest_.empty(); }
    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    // CET, or <+1030>.
    bool name() {
        const bool quoted = take('<');
        std::size_t size = 0;
        while (size < rest_.size() && (quoted ? rest_[size] != '>' : is_letter(rest_[size])))
            ++size;
        rest_.remove_prefix(size);
        return size >= 3 && (!quoted || take('>'));
    }
    bool number(int& out, int least, int most) {
        std::size_t size = 0;
        for (out = 0; size < 3 && size < rest_.size() && is_digit(rest_[size]); ++size)
            out = out * 10 + (rest_[size] - '0');
        rest_.remove_prefix(size);
        return size > 0 && out >= least && out <= most;
    }
    // [+-]hours[:minutes[:seconds]]
    bool time(std::int32_t& out) {
        const bool negative = take('-');
        if (!negative) take('+');
        int hours = 0, minutes = 0, seconds = 0;
        if (!number(hours, 0, 167)) return false;
        if (take(':') && !number(minutes, 0, 59)) return false;
        if (take(':') && !number(seconds, 0, 59)) return false;
        out = hours * 3600 + minutes * 60 + seconds;
        if (negative) out = -out;
        return true;
    }
    bool yearly(YearlyTime& out) {
        if (!day_of(out)) return false;
        return !take('/') || time(out.seconds);
    }

  private:
    bool day_of(YearlyTime& out) {
        if (take('M')) {
            out.kind = YearlyTime::weekday;
            return number(out.month, 1, 12) && take('.') && number(out.week, 1, 5) && take('.') &&
                   number(out.of_week, 0, 6);
        }
        out.kind = take('J') ? YearlyTime::no_leap : YearlyTime::day;
        const int first = out.kind == YearlyTime::no_leap ? 1 : 0;
        return number(out.of_year, first, 365);
    }

    std::string_view rest_;
};

std::chrono::sys_days weekday_in(const YearlyTime& of, std::chrono::year year) {
    const auto month = year / of.month;
    const std::chrono::weekday day(static_cast<unsigned>(of.of_week));
    if (of.week == 5) return std::chrono::sys_days(month / day[std::chrono::last]);
    return std::chrono::sys_days(month / day[static_cast<unsigned>(of.week)]);
}

std::chrono::sys_days day_in(const YearlyTime& of, std::chrono::year year) {
    if (of.kind == YearlyTime::weekday) return weekday_in(of, year);
    const std::chrono::sys_days first(year / 1 / 1);
    if (of.kind == YearlyTime::day) return first + std::chrono::days(of.of_year);
    const bool behind = year.is_leap() && of.of_year >= 60;
    return first + std::chrono::days(of.of_year - (behind ? 0 : 1));
}

bool read_summer(RuleText& text, ZoneRule& rule) {
    ZoneRule::Summer summer;
    summer.offset = rule.standard + 3600;
    if (!text.name()) return false;
    if (!text.take(',')) {
        if (!text.time(summer.offset) || !text.take(',')) return false;
        summer.offset = -summer.offset;
    }
    if (!text.yearly(summer.begins) || !text.take(',') || !text.yearly(summer.ends)) return false;
    rule.summer = summer;
    return text.done();
}

}  // namespace

std::int64_t YearlyTime::in(int year) const {
    const auto day = day_in(*this, std::chrono::year(year));
    return day.time_since_epoch().count() * kDay + seconds;
}

std::optional<ZoneRule> ZoneRule::read(std::string_view text) {
    RuleText reader(text);
    ZoneRule rule;
    if (!reader.name() || !reader.time(rule.standard)) return std::nullopt;
    rule.standard = -rule.standard;  // POSIX counts westwards
    if (!reader.done() && !read_summer(reader, rule)) return std::nullopt;
    return rule;
}

}  // namespace svc::base
