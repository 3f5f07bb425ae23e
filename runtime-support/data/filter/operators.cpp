#include "data/filter/operators.hpp"

#include "data/filter/bounds.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

constexpr std::size_t kMaxList = 1000;

bool is_null(const Clause& clause) {
    return clause.value == nullptr || clause.value->is(Kind::null);
}

using Comparison = std::string (*)(const Clause&, const Bounds&);
Sql compared(const Clause& clause, Comparison comparison) {
    if (is_null(clause)) return misfit(clause, "a value");
    const auto value = bounds(clause, *clause.value);
    if (!value) return value.error();
    return comparison(clause, *value);
}

}  // namespace

Sql opposite(const Sql& condition) {
    if (!condition) return condition;
    return '(' + *condition + ") is not true";
}

Sql null_test(const Clause& clause) { return clause.subject() + " is null"; }
Sql not_null(const Clause& clause) { return clause.subject() + " is not null"; }

Sql equal(const Clause& clause) {
    if (clause.value != nullptr && is_null(clause)) return null_test(clause);
    return compared(clause, same);
}

Sql not_equal(const Clause& clause) {
    if (clause.value != nullptr && is_null(clause)) return not_null(clause);
    return opposite(equal(clause));
}

// x in ($1, $2), with null as a member where the list has one, and days beside it.
Sql member(const Clause& clause) {
    if (!given(clause, Kind::array)) return misfit(clause, "a list");
    if (clause.value->items.size() > kMaxList) return misfit(clause, "at most 1,000 values");
    std::string list, others;
    const auto other = [&others](const std::string& condition) {
        others += (others.empty() ? "" : " or ") + condition;
    };
    for (const json::Value& item : clause.value->items) {
        if (item.is(Kind::null)) {
            other(clause.subject() + " is null");
            continue;
        }
        const auto value = bounds(clause, item);
        if (!value) return value.error();
        if (value->end.empty()) {
            list += (list.empty() ? "" : ", ") + value->begin;
        } else {
            other(same(clause, *value));
        }
    }
    if (!list.empty()) other(clause.subject() + " in (" + list + ')');
    return others.empty() ? "false" : '(' + others + ')';
}

Sql not_member(const Clause& clause) { return opposite(member(clause)); }

Sql less(const Clause& clause) { return compared(clause, below); }
Sql less_or_equal(const Clause& clause) { return compared(clause, at_most); }
Sql greater(const Clause& clause) { return compared(clause, above); }
Sql greater_or_equal(const Clause& clause) { return compared(clause, at_least); }

Sql between(const Clause& clause) {
    const bool two = given(clause, Kind::array) && clause.value->items.size() == 2 &&
                     !clause.value->items[0].is(Kind::null) &&
                     !clause.value->items[1].is(Kind::null);
    if (!two) return misfit(clause, "a list of two values");
    const auto low = bounds(clause, clause.value->items[0]);
    if (!low) return low.error();
    const auto high = bounds(clause, clause.value->items[1]);
    if (!high) return high.error();
    return '(' + at_least(clause, *low) + " and " + at_most(clause, *high) + ')';
}

Error misfit(const Clause& clause, std::string_view takes) {
    return bad_params(std::string(base::word(clause.op)) + " takes " + std::string(takes) + '.');
}

bool given(const Clause& clause, Kind kind) {
    return clause.value != nullptr && clause.value->is(kind);
}

}  // namespace svc::data::filter
