#include "data/operators.hpp"

#include <algorithm>

#include "data/filter_value.hpp"

namespace svc::data {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

constexpr std::size_t kMaxList = 1000;

bool is_null(const Clause& clause) {
    return clause.value == nullptr || clause.value->is(Kind::null);
}

Sql bound(const Clause& clause, const json::Value& value) {
    auto text = column_value(clause.column, value);
    if (!text) return text.error();
    return clause.query.bind(std::move(*text), clause.column.type);
}

Sql not_equal(const Clause& clause) {
    if (clause.value == nullptr) return misfit(clause, "a value");
    if (is_null(clause)) return quoted(clause.column.name) + " is not null";
    return compared(clause, " is distinct from ", *clause.value);
}

// "x" in ($1, $2), with null as a member where the list has one.
Sql member(const Clause& clause) {
    if (clause.value == nullptr || !clause.value->is(Kind::array)) return misfit(clause, "a list");
    if (clause.value->items.size() > kMaxList) return misfit(clause, "at most 1,000 values");
    const std::string column = quoted(clause.column.name);
    std::string list, null_test;
    for (const json::Value& item : clause.value->items) {
        if (item.is(Kind::null)) {
            null_test = column + " is null";
            continue;
        }
        auto parameter = bound(clause, item);
        if (!parameter) return parameter.error();
        list += (list.empty() ? "" : ", ") + *parameter;
    }
    if (list.empty()) return null_test.empty() ? std::string("false") : null_test;
    const std::string in = column + " in (" + list + ')';
    return null_test.empty() ? in : '(' + in + " or " + null_test + ')';
}

// The opposite of a condition that is null for a null column: those rows are kept.
Sql opposite(const Sql& condition) {
    if (!condition) return condition;
    return '(' + *condition + ") is not true";
}

Sql not_member(const Clause& clause) { return opposite(member(clause)); }

template <char... Operator>
Sql order(const Clause& clause) {
    if (is_null(clause)) return misfit(clause, "a value");
    const char text[] = {' ', Operator..., ' ', '\0'};
    return compared(clause, text, *clause.value);
}

std::string escaped_pattern(std::string_view text) {
    std::string pattern;
    for (char c : text) {
        if (c == '%' || c == '_' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern;
}

Sql like(const Clause& clause, std::string_view before, std::string_view after) {
    if (clause.column.type != Type::text && clause.column.type != Type::enumeration) {
        return bad_params(std::string(clause.op) + " works on texts, and " +
                          std::string(clause.column.name) + " is none.");
    }
    if (is_null(clause) || !clause.value->is(Kind::string)) return misfit(clause, "a text");
    std::string pattern(before);
    pattern.append(escaped_pattern(clause.value->text)).append(after);
    return quoted(clause.column.name) + " ilike " +
           clause.query.bind(std::move(pattern), Type::text);
}

Sql contains(const Clause& clause) {
    if (clause.column.type != Type::tags) return like(clause, "%", "%");
    if (is_null(clause) || !clause.value->is(Kind::string)) return misfit(clause, "a text");
    return quoted(clause.column.name) + " @> array[" +
           clause.query.bind(clause.value->text, Type::text) + ']';
}

Sql not_contains(const Clause& clause) { return opposite(contains(clause)); }
Sql starts_with(const Clause& clause) { return like(clause, "", "%"); }
Sql ends_with(const Clause& clause) { return like(clause, "%", ""); }
Sql null_test(const Clause& clause) { return quoted(clause.column.name) + " is null"; }
Sql not_null(const Clause& clause) { return quoted(clause.column.name) + " is not null"; }

Sql between(const Clause& clause) {
    if (is_null(clause) || !clause.value->is(Kind::array) || clause.value->items.size() != 2 ||
        clause.value->items[0].is(Kind::null) || clause.value->items[1].is(Kind::null)) {
        return misfit(clause, "a list of two values");
    }
    auto low = bound(clause, clause.value->items[0]);
    if (!low) return low.error();
    auto high = bound(clause, clause.value->items[1]);
    if (!high) return high.error();
    return quoted(clause.column.name) + " between " + *low + " and " + *high;
}

struct Named {
    std::string_view name;
    Operator meaning;
};

constexpr Named kOperators[] = {
    {"eq", equal},
    {"neq", not_equal},
    {"in", member},
    {"not_in", not_member},
    {"lt", order<'<'>},
    {"lte", order<'<', '='>},
    {"gt", order<'>'>},
    {"gte", order<'>', '='>},
    {"contains", contains},
    {"not_contains", not_contains},
    {"starts_with", starts_with},
    {"ends_with", ends_with},
    {"is_null", null_test},
    {"is_not_null", not_null},
    {"between", between},
};

}  // namespace

Sql equal(const Clause& clause) {
    if (clause.value == nullptr) return misfit(clause, "a value");
    if (is_null(clause)) return null_test(clause);
    return compared(clause, " = ", *clause.value);
}

Sql compared(const Clause& clause, std::string_view sql_operator, const json::Value& value) {
    auto parameter = bound(clause, value);
    if (!parameter) return parameter.error();
    return quoted(clause.column.name) + std::string(sql_operator) + *parameter;
}

Error misfit(const Clause& clause, std::string_view takes) {
    return bad_params(std::string(clause.op) + " takes " + std::string(takes) + '.');
}

Sql clause_condition(const Clause& clause) {
    const auto known = std::find_if(std::begin(kOperators), std::end(kOperators),
                                    [&](const Named& named) { return named.name == clause.op; });
    if (known != std::end(kOperators)) return known->meaning(clause);
    if (Operator period = period_operator(clause.op)) return period(clause);
    return bad_params("There is no operator " + std::string(clause.op) + '.');
}

}  // namespace svc::data
