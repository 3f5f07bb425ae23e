// Operators over dates: days, weeks and months are those of the clause's timezone.
#include <algorithm>

#include "data/bounds.hpp"
#include "data/time_zone.hpp"
#include "json/formats.hpp"

namespace svc::data {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

constexpr std::int64_t kMostDays = 36500;

struct Period {
    std::string_view name;
    std::string_view unit;   // of date_trunc: where it begins
    std::string_view shift;  // moves the beginning
    std::string_view length;
};

constexpr Period kPeriods[] = {
    {"today", "day", "0 days", "1 day"},
    {"yesterday", "day", "-1 days", "1 day"},
    {"this_week", "week", "0 days", "1 week"},
    {"this_month", "month", "0 days", "1 month"},
    {"this_quarter", "quarter", "0 days", "3 months"},
    {"this_year", "year", "0 days", "1 year"},
};

const Period* find_period(std::string_view name) {
    const auto found = std::find_if(std::begin(kPeriods), std::end(kPeriods),
                                    [name](const Period& period) { return period.name == name; });
    return found != std::end(kPeriods) ? found : nullptr;
}

// A local time as the column's type.
std::string as_column(const Clause& clause, const std::string& local, const std::string& zone) {
    return clause.column.type == Type::date ? '(' + local + ")::date" : moment_of(local, zone);
}

std::string named_period(const Clause& clause, const Period& period) {
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const std::string column = clause.subject();
    const std::string from = "date_trunc('" + std::string(period.unit) + "', now() at time zone " +
                             zone + ") + interval '" + std::string(period.shift) + '\'';
    const std::string to = from + " + interval '" + std::string(period.length) + '\'';
    return '(' + column + " >= " + as_column(clause, from, zone) + " and " + column + " < " +
           as_column(clause, to, zone) + ')';
}

// Between now and n days from now, before or after it.
std::string days_from_now(const Clause& clause, std::int64_t days, bool past) {
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const std::string count = clause.query.bind(std::to_string(days), Type::integer);
    const std::string local = "now() at time zone " + zone;
    const std::string away =
        local + (past ? " - " : " + ") + "make_interval(days => " + count + "::integer)";
    // Not through local time and back: at the end of summer an hour comes twice.
    const std::string now = clause.column.type == Type::date ? '(' + local + ")::date" : "now()";
    const std::string far = as_column(clause, away, zone);
    return '(' + clause.subject() + " between " + (past ? far : now) + " and " +
           (past ? now : far) + ')';
}

Sql named_range(const Clause& clause) {
    const std::string& name = clause.value->text;
    if (clause.column.type != Type::date && clause.column.type != Type::timestamp) {
        return bad_params("A range by name works on dates, and " + std::string(clause.column.name) +
                          " is none.");
    }
    if (name == "last_7_days") return days_from_now(clause, 7, true);
    if (name == "last_30_days") return days_from_now(clause, 30, true);
    if (name == "all") return std::string("true");
    if (const Period* known = find_period(name)) return named_period(clause, *known);
    return bad_params("There is no range " + name +
                      "; there are today, yesterday, this_week, this_month, this_quarter, "
                      "this_year, last_7_days, last_30_days and all.");
}

}  // namespace

Sql this_period(const Clause& clause) { return named_period(clause, *find_period(clause.op)); }

Sql n_days(const Clause& clause) {
    std::int64_t days = 0;
    if (!given(clause, Kind::number) ||
        json::whole_number(clause.value->text, days) != json::Whole::ok || days < 1 ||
        days > kMostDays) {
        return misfit(clause, "a whole number of days from 1 to 36500");
    }
    return days_from_now(clause, days, clause.op.starts_with("last"));
}

// {"from": …, "to": …}: to is excluded; one of them may be missing.
Sql range(const Clause& clause) {
    if (given(clause, Kind::string)) return named_range(clause);
    if (!given(clause, Kind::object) || clause.value->members.empty()) {
        return misfit(clause, "{from, to} or the name of a range");
    }
    std::string condition;
    for (const auto& [name, bound] : clause.value->members) {
        if ((name != "from" && name != "to") || bound.is(Kind::null)) {
            return misfit(clause, "{from, to} or the name of a range");
        }
        const auto value = bounds(clause, bound);
        if (!value) return value.error();
        condition += (condition.empty() ? "(" : " and ") +
                     (name == "from" ? at_least(clause, *value) : below(clause, *value));
    }
    return condition + ')';
}

}  // namespace svc::data
