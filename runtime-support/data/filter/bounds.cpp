#include "data/filter/bounds.hpp"

#include "base/formats.hpp"
#include "data/filter/filter_value.hpp"
#include "data/filter/zone.hpp"

namespace svc::data::filter {

namespace {

bool is_whole_day(const Clause& clause, const json::Value& value) {
    return clause.column.type == Type::timestamp && value.is(json::Value::Kind::string) &&
           base::is_date(value.text);
}

Bounds whole_day(const Clause& clause, const json::Value& value) {
    const std::string day = clause.query.bind(value.text, Type::date);
    const std::string zone = clause.query.bind(std::string(clause.timezone), Type::text);
    return {moment_of(day + "::timestamp", zone), moment_of('(' + day + " + 1)::timestamp", zone)};
}

std::string ordered(const Clause& clause, std::string_view operation, const std::string& value) {
    return clause.subject().append(operation).append(value);
}

}  // namespace

Result<Bounds> bounds(const Clause& clause, const json::Value& value) {
    if (is_whole_day(clause, value)) return whole_day(clause, value);
    auto text = column_value(clause.column, value);
    if (!text) return text.error();
    return Bounds{clause.query.bind(std::move(*text), clause.column.type), {}};
}

std::string same(const Clause& clause, const Bounds& value) {
    if (value.end.empty()) return clause.subject() + " = " + value.begin;
    return '(' + at_least(clause, value) + " and " + at_most(clause, value) + ')';
}

std::string below(const Clause& clause, const Bounds& value) {
    return ordered(clause, clause.ordering.less, value.begin);
}

std::string above(const Clause& clause, const Bounds& value) {
    const Ordering& order = clause.ordering;
    return value.end.empty() ? ordered(clause, order.greater, value.begin)
                             : ordered(clause, order.at_least, value.end);
}

std::string at_most(const Clause& clause, const Bounds& value) {
    const Ordering& order = clause.ordering;
    return value.end.empty() ? ordered(clause, order.at_most, value.begin)
                             : ordered(clause, order.less, value.end);
}

std::string at_least(const Clause& clause, const Bounds& value) {
    return ordered(clause, clause.ordering.at_least, value.begin);
}

}  // namespace svc::data::filter
