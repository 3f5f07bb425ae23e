// Operators over dates: days, weeks and months are those of the app's timezone.
#include <algorithm>

#include "data/operators.hpp"
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

bool dated(const Clause& clause) {
    return clause.column.type == Type::date || clause.column.type == Type::timestamp;
}

Error not_dated(const Clause& clause) {
    return bad_params(std::string(clause.op) + " works on dates, and " +
                      std::string(clause.column.name) + " is none.");
}

// A local time as the column's type.
std::string as_column(const Clause& clause, const std::string& local, const std::string& zone) {
    return clause.column.type == Type::date ? '(' + local + ")::date"
                                            : "((" + local + ") at time zone " + zone + ')';
}

Sql named_period(const Clause& clause, const Period& period) {
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const std::string column = quoted(clause.column.name);
    const std::string from = "date_trunc('" + std::string(period.unit) + "', now() at time zone " +
                             zone + ") + interval '" + std::string(period.shift) + '\'';
    const std::string to = from + " + interval '" + std::string(period.length) + '\'';
    return '(' + column + " >= " + as_column(clause, from, zone) + " and " + column + " < " +
           as_column(clause, to, zone) + ')';
}

// Between now and n days from now, before or after it.
Sql days_from_now(const Clause& clause, std::int64_t days, bool past) {
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const std::string count = clause.query.bind(std::to_string(days), Type::integer);
    const std::string now = "now() at time zone " + zone;
    const std::string far =
        now + (past ? " - " : " + ") + "make_interval(days => " + count + "::integer)";
    const std::string from = as_column(clause, past ? far : now, zone);
    const std::string to = as_column(clause, past ? now : far, zone);
    return '(' + quoted(clause.column.name) + " between " + from + " and " + to + ')';
}

Sql period(const Clause& clause) {
    if (!dated(clause)) return not_dated(clause);
    return named_period(clause, *find_period(clause.op));
}

Sql n_days(const Clause& clause) {
    if (!dated(clause)) return not_dated(clause);
    std::int64_t days = 0;
    if (clause.value == nullptr || !clause.value->is(Kind::number) ||
        json::whole_number(clause.value->text, days) != json::Whole::ok || days < 1 ||
        days > kMostDays) {
        return misfit(clause, "a whole number of days from 1 to 36500");
    }
    return days_from_now(clause, days, clause.op.starts_with("last"));
}

Sql named_range(const Clause& clause) {
    const std::string& name = clause.value->text;
    if (!dated(clause)) return not_dated(clause);
    if (name == "last_7_days") return days_from_now(clause, 7, true);
    if (name == "last_30_days") return days_from_now(clause, 30, true);
    if (name == "all") return std::string("true");
    if (const Period* known = find_period(name)) return named_period(clause, *known);
    return bad_params("There is no range " + name + '.');
}

// {"from": …, "to": …}: to is excluded; one of them may be missing.
Sql range(const Clause& clause) {
    if (clause.value != nullptr && clause.value->is(Kind::string)) return named_range(clause);
    if (clause.value == nullptr || !clause.value->is(Kind::object) ||
        clause.value->members.empty()) {
        return misfit(clause, "{from, to} or the name of a range");
    }
    std::string condition;
    for (const auto& [name, bound] : clause.value->members) {
        if ((name != "from" && name != "to") || bound.is(Kind::null)) {
            return misfit(clause, "{from, to} or the name of a range");
        }
        auto one = compared(clause, name == "from" ? " >= " : " < ", bound);
        if (!one) return one.error();
        condition += (condition.empty() ? "(" : " and ") + *one;
    }
    return condition + ')';
}

}  // namespace

Operator period_operator(std::string_view op) {
    if (op == "range") return range;
    if (op == "last_n_days" || op == "next_n_days") return n_days;
    return op != "this_quarter" && find_period(op) != nullptr ? period : nullptr;
}

}  // namespace svc::data
