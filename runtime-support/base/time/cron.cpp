#include "base/time/cron.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/ascii.hpp"
#include "base/parts.hpp"

namespace svc::base {
namespace {

constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct CronPart {
    std::string_view name;
    int least, most;
    std::span<const std::string_view> words;
    int first_word;
};
constexpr CronPart kParts[] = {{"minute", 0, 59, {}, 0},
                               {"hour", 0, 23, {}, 0},
                               {"day of the month", 1, 31, {}, 0},
                               {"month", 1, 12, kMonths, 1},
                               {"day of the week", 0, 7, kDays, 0}};

std::optional<int> whole(std::string_view text) {
    const bool digits = !text.empty() && text.size() <= 3 &&
                        text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits) return std::nullopt;
    int out = 0;
    for (const char c : text) out = out * 10 + (c - '0');
    return out;
}

std::optional<int> value(std::string_view text, const CronPart& part) {
    const std::string lower = base::lower(text);
    const auto word = std::find(part.words.begin(), part.words.end(), lower);
    if (word != part.words.end()) {
        return part.first_word + static_cast<int>(word - part.words.begin());
    }
    const std::optional<int> number = whole(text);
    if (!number || *number < part.least || *number > part.most) return std::nullopt;
    return number;
}

bool is_range(std::string_view text, const CronPart& part) {
    if (text == "*") return true;
    const std::size_t dash = text.find('-');
    const std::optional<int> first = value(text.substr(0, dash), part);
    if (dash == std::string_view::npos) return first.has_value();
    const std::optional<int> last = value(text.substr(dash + 1), part);
    return first && last && *first <= *last;
}

bool is_item(std::string_view text, const CronPart& part) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return is_range(text, part);
    const std::string_view range = text.substr(0, slash);
    const std::optional<int> step = whole(text.substr(slash + 1));
    const bool many = range == "*" || range.find('-') != std::string_view::npos;
    return many && is_range(range, part) && step && *step >= 1 && *step <= part.most;
}

int last_of(std::string_view range, const CronPart& part, int first) {
    const std::size_t dash = range.find('-');
    if (dash != std::string_view::npos) return *value(range.substr(dash + 1), part);
    return range == "*" ? part.most : first;
}

// The text must be sound.
Cron::Field field_of(std::string_view list, const CronPart& part) {
    Cron::Field out;
    out.given = !list.starts_with('*');
    for (const std::string_view item : split(list, ',')) {
        const std::size_t slash = item.find('/');
        const std::string_view range = item.substr(0, slash);
        const int first =
            range == "*" ? part.least : *value(range.substr(0, range.find('-')), part);
        const int last = last_of(range, part, first);
        const int step = slash == std::string_view::npos ? 1 : *whole(item.substr(slash + 1));
        for (int i = first; i <= last; i += step) out.values.set(static_cast<std::size_t>(i));
    }
    return out;
}

// True if one of the months has such a day, or if a day of the week is given too, which is then
// enough.
bool ever_comes(const Cron& cron) {
    constexpr std::size_t kDaysIn[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!cron.day.given || cron.weekday.given) return true;
    const std::size_t day = cron.day.values._Find_first();
    for (std::size_t month = 1; month <= 12; ++month) {
        if (cron.month.values[month] && day <= kDaysIn[month - 1]) return true;
    }
    return false;
}

// A sound text in parts, or the problem.
std::string problem_of(const std::vector<std::string_view>& parts) {
    if (parts.size() != std::size(kParts)) {
        return "A cron time has five parts, separated by one space, but this has " +
               std::to_string(parts.size()) + ".";
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const std::string_view item : split(parts[i], ',')) {
            if (is_item(item, kParts[i])) continue;
            return "\"" + std::string(item) + "\" is not a valid " + std::string(kParts[i].name) +
                   ".";
        }
    }
    return {};
}

Cron cron_of(const std::vector<std::string_view>& parts) {
    Cron out{field_of(parts[0], kParts[0]), field_of(parts[1], kParts[1]),
             field_of(parts[2], kParts[2]), field_of(parts[3], kParts[3]),
             field_of(parts[4], kParts[4])};
    if (out.weekday.values[7]) out.weekday.values.set(0);
    return out;
}

}  // namespace

std::optional<Cron> Cron::read(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ' ');
    if (!problem_of(parts).empty()) return std::nullopt;
    return cron_of(parts);
}

std::string cron_problem(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ' ');
    if (std::string problem = problem_of(parts); !problem.empty()) return problem;
    if (ever_comes(cron_of(parts))) return {};
    return "This time never comes: no month of the list has this day.";
}

}  // namespace svc::base
