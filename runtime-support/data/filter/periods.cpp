// Operators over dates: days, weeks and months are those of the clause's timezone.
#include "data/filter/bounds.hpp"
#include "data/filter/windows.hpp"
#include "data/filter/zone.hpp"
#include "json/formats.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

constexpr std::int64_t kMostDays = 36500;

// A local time as the column's type.
std::string as_column(const Clause& clause, const std::string& local, const std::string& zone) {
    return clause.column.type == Type::date ? '(' + local + ")::date" : moment_of(local, zone);
}

Sql in_window(const Clause& clause, std::string_view name) {
    if (name == "all") return std::string("true");
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const auto window = named_window(name, {clause.column.type, zone});
    if (!window) return window.error();
    const std::string column = clause.subject();
    return '(' + column + " >= " + window->from + " and " + column + " < " + window->to + ')';
}

// Between now and n days from now, before or after it.
std::string days_from_now(const Clause& clause, std::int64_t days, bool past) {
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    const std::string count = clause.query.bind(std::to_string(days), Type::integer);
    const std::string local = "now() at time zone " + zone;
    const std::string away =
        local + (past ? " - " : " + ") + "make_interval(days => " + count + "::integer)";
    // The moment is not converted to local time and back: at the end of summer time an hour occurs
    // twice.
    const std::string now = clause.column.type == Type::date ? '(' + local + ")::date" : "now()";
    const std::string far = as_column(clause, away, zone);
    return '(' + clause.subject() + " between " + (past ? far : now) + " and " +
           (past ? now : far) + ')';
}

Sql named_range(const Clause& clause) {
    if (clause.column.type != Type::date && clause.column.type != Type::timestamp) {
        return bad_params("A range by name works on dates, and " + std::string(clause.column.name) +
                          " is none.");
    }
    return in_window(clause, clause.value->text);
}

}  // namespace

Sql this_period(const Clause& clause) { return in_window(clause, base::word(clause.op)); }

Sql n_days(const Clause& clause) {
    std::int64_t days = 0;
    if (!given(clause, Kind::number) ||
        json::whole_number(clause.value->text, days) != json::Whole::ok || days < 1 ||
        days > kMostDays) {
        return misfit(clause, "a whole number of days from 1 to 36500");
    }
    return days_from_now(clause, days, clause.op == Op::last_n_days);
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

}  // namespace svc::data::filter
