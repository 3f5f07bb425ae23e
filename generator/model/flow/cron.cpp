#include "model/flow/cron.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/ascii.hpp"

namespace svc::model {
namespace {

constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct Part {
    std::string_view name;
    int least, most;
    std::span<const std::string_view> words;
    int first_word;
};
constexpr Part kParts[] = {{"minute", 0, 59, {}, 0},
                           {"hour", 0, 23, {}, 0},
                           {"day of the month", 1, 31, {}, 0},
                           {"month", 1, 12, kMonths, 1},
                           {"day of the week", 0, 7, kDays, 0}};

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> out;
    for (;;) {
        const std::size_t end = text.find(at);
        out.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

std::optional<int> whole(std::string_view text) {
    const bool digits = !text.empty() && text.size() <= 3 &&
                        text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits) return std::nullopt;
    int out = 0;
    for (const char c : text) out = out * 10 + (c - '0');
    return out;
}

std::optional<int> value(std::string_view text, const Part& part) {
    const std::string lower = base::lower(text);
    const auto word = std::find(part.words.begin(), part.words.end(), lower);
    if (word != part.words.end()) {
        return part.first_word + static_cast<int>(word - part.words.begin());
    }
    const std::optional<int> number = whole(text);
    if (!number || *number < part.least || *number > part.most) return std::nullopt;
    return number;
}

bool is_range(std::string_view text, const Part& part) {
    if (text == "*") return true;
    const std::size_t dash = text.find('-');
    const std::optional<int> first = value(text.substr(0, dash), part);
    if (dash == std::string_view::npos) return first.has_value();
    const std::optional<int> last = value(text.substr(dash + 1), part);
    return first && last && *first <= *last;
}

bool is_item(std::string_view text, const Part& part) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return is_range(text, part);
    const std::string_view range = text.substr(0, slash);
    const std::optional<int> step = whole(text.substr(slash + 1));
    const bool many = range == "*" || range.find('-') != std::string_view::npos;
    return many && is_range(range, part) && step && *step >= 1 && *step <= part.most;
}

// The least number of a sound list.
int least_of(std::string_view list, const Part& part) {
    int out = part.most;
    for (const std::string_view item : split(list, ',')) {
        const std::string_view first = item.substr(0, item.find_first_of("-/"));
        out = std::min(out, first == "*" ? part.least : *value(first, part));
    }
    return out;
}

bool comes_in(std::string_view item, const Part& part, int wanted) {
    const std::size_t slash = item.find('/');
    const std::string_view range = item.substr(0, slash);
    const std::size_t dash = range.find('-');
    const int first = range == "*" ? part.least : *value(range.substr(0, dash), part);
    const bool one = range != "*" && dash == std::string_view::npos;
    const int last = range == "*" ? part.most : one ? first : *value(range.substr(dash + 1), part);
    const int step = slash == std::string_view::npos ? 1 : *whole(item.substr(slash + 1));
    return wanted >= first && wanted <= last && (wanted - first) % step == 0;
}

// Has one of the months such a day? Where a day of the week is given too, that one suffices.
bool ever_comes(const std::vector<std::string_view>& parts) {
    constexpr int kDaysIn[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (parts[2] == "*" || parts[4] != "*") return true;
    const int day = least_of(parts[2], kParts[2]);
    for (const std::string_view item : split(parts[3], ',')) {
        for (int month = 1; month <= 12; ++month) {
            if (day <= kDaysIn[month - 1] && comes_in(item, kParts[3], month)) return true;
        }
    }
    return false;
}

}  // namespace

std::string cron_problem(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ' ');
    if (parts.size() != std::size(kParts)) {
        return "A time of cron has five parts with one blank between them, and this has " +
               std::to_string(parts.size()) + ".";
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const std::string_view item : split(parts[i], ',')) {
            if (is_item(item, kParts[i])) continue;
            return "\"" + std::string(item) + "\" is no " + std::string(kParts[i].name) + ".";
        }
    }
    if (!ever_comes(parts)) return "None of these months has such a day, so it never comes.";
    return {};
}

}  // namespace svc::model
