#include "data/filter/windows.hpp"

#include <algorithm>

#include "data/filter/zone.hpp"

namespace svc::data::filter {

namespace {

// Whole periods of the calendar.
struct NamedRange {
    std::string_view name;
    std::string_view unit;   // of date_trunc: where it begins
    std::string_view shift;  // moves the beginning
    std::string_view length;
    bool is_over = false;
};

constexpr NamedRange kNamedRanges[] = {
    {"today", "day", "0 days", "1 day"},
    {"yesterday", "day", "-1 days", "1 day", true},
    {"this_week", "week", "0 days", "1 week"},
    {"this_month", "month", "0 days", "1 month"},
    {"this_quarter", "quarter", "0 days", "3 months"},
    {"this_year", "year", "0 days", "1 year"},
};

// Days up to now.
struct Days {
    std::string_view name;
    std::string_view length;
};

constexpr Days kDays[] = {{"last_7_days", "7"}, {"last_30_days", "30"}};

std::string local_now(const WindowScope& scope) {
    return "(now() at time zone " + scope.zone + ')';
}

std::string moved(const std::string& local, const char* sign, std::string_view length) {
    return '(' + local + ' ' + sign + " interval '" + std::string(length) + "')";
}

std::string beginning(const NamedRange& period, const std::string& now) {
    return moved("date_trunc('" + std::string(period.unit) + "', " + now + ')', "+", period.shift);
}

Window moments(const NamedRange& period, const WindowScope& scope) {
    const std::string now = local_now(scope);
    const std::string begin = beginning(period, now);
    const auto moment = [&](const std::string& local) { return moment_of(local, scope.zone); };
    Window out;
    out.from = moment(begin);
    out.previous_from = moment(moved(begin, "-", period.length));
    if (scope.to_date && !period.is_over) {
        out.to = "now()";
        out.previous_to = "least(" + moment(moved(now, "-", period.length)) + ", " + out.from + ')';
    } else {
        out.to = moment(moved(begin, "+", period.length));
        out.previous_to = out.from;
    }
    return out;
}

Window days(const NamedRange& period, const WindowScope& scope) {
    const std::string now = local_now(scope);
    const std::string begin = beginning(period, now);
    const auto day = [](const std::string& local) { return '(' + local + ")::date"; };
    Window out;
    out.from = day(begin);
    out.previous_from = day(moved(begin, "-", period.length));
    if (scope.to_date && !period.is_over) {  // today counts whole, and so does the day before
        out.to = day(now) + " + 1";
        out.previous_to =
            "least(" + day(moved(now, "-", period.length)) + " + 1, " + out.from + ')';
    } else {
        out.to = day(moved(begin, "+", period.length));
        out.previous_to = out.from;
    }
    return out;
}

// Until now; of days until today, which counts whole.
Window last_days(std::string_view count, const WindowScope& scope) {
    const std::string now = local_now(scope);
    const std::string length(count);
    Window out;
    if (scope.type == Type::date) {
        const std::string end = '(' + now + "::date + 1";
        out = {end + " - " + length + ')', end + ')', end + " - 2 * " + length + ')', ""};
    } else {
        const auto before = [&](const std::string& number) {
            return moment_of(moved(now, "-", number + " days"), scope.zone);
        };
        out = {before(length), "now()", before(std::to_string(2 * std::stoi(length))), ""};
    }
    out.previous_to = out.from;
    return out;
}

std::string truncated(Bucket bucket, const std::string& local) {
    return "date_trunc('" + std::string(base::word(bucket)) + "', " + local + ")::date";
}

std::string local_of(const std::string& value, Type type, const std::string& zone) {
    return type == Type::date ? '(' + value + ")::timestamp"
                              : "((" + value + ") at time zone " + zone + ')';
}

}  // namespace

Result<Window> named_window(std::string_view range, const WindowScope& scope) {
    if (range == "all") return Window{"null", "null", "null", "null"};
    const auto* last = std::ranges::find(kDays, range, &Days::name);
    if (last != std::end(kDays)) return last_days(last->length, scope);
    const auto* period = std::ranges::find(kNamedRanges, range, &NamedRange::name);
    if (period == std::end(kNamedRanges)) {
        return bad_params(
            "A range must be today, yesterday, this_week, last_7_days, this_month, last_30_days, "
            "this_quarter, this_year or all.");
    }
    return scope.type == Type::date ? days(*period, scope) : moments(*period, scope);
}

std::string bucket_of(Bucket bucket, const std::string& value, Type type, const std::string& zone) {
    return truncated(bucket, local_of(value, type, zone));
}

std::string bucket_before(Bucket bucket, const std::string& value, Type type,
                          const std::string& zone) {
    return truncated(bucket, '(' + local_of(value, type, zone) + " - interval '1 microsecond')");
}

}  // namespace svc::data::filter
