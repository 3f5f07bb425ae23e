#include <algorithm>

#include "data/filter/operators.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

using TypeSet = std::uint32_t;
constexpr TypeSet set(std::initializer_list<Type> types) {
    TypeSet out = 0;
    for (Type type : types) out |= TypeSet{1} << static_cast<unsigned>(type);
    return out;
}
constexpr TypeSet kAny = ~TypeSet{0};
constexpr TypeSet kTexts = set({Type::text, Type::enumeration});
constexpr TypeSet kDated = set({Type::date, Type::timestamp});
constexpr TypeSet kOrdered = kAny & ~set({Type::boolean, Type::tags, Type::json});

struct Operator {
    std::string_view name;
    Sql (*meaning)(const Clause&);
    TypeSet fits;
    bool takes_value = true;
};

constexpr Operator kOperators[] = {
    {"eq", equal, kAny},
    {"neq", not_equal, kAny},
    {"in", member, kAny},
    {"not_in", not_member, kAny},
    {"lt", less, kOrdered},
    {"lte", less_or_equal, kOrdered},
    {"gt", greater, kOrdered},
    {"gte", greater_or_equal, kOrdered},
    {"between", between, kOrdered},
    {"range", range, kOrdered},
    {"contains", contains, kTexts | set({Type::tags})},
    {"not_contains", not_contains, kTexts | set({Type::tags})},
    {"starts_with", starts_with, kTexts},
    {"ends_with", ends_with, kTexts},
    {"is_null", null_test, kAny, false},
    {"is_not_null", not_null, kAny, false},
    {"today", this_period, kDated, false},
    {"yesterday", this_period, kDated, false},
    {"this_week", this_period, kDated, false},
    {"this_month", this_period, kDated, false},
    {"this_year", this_period, kDated, false},
    {"last_n_days", n_days, kDated},
    {"next_n_days", n_days, kDated},
};

bool fits(const Operator& known, const Column& column) {
    return (known.fits & set({column.type})) != 0;
}

// The operators of a column of this type, or all.
std::string names(const Column* column) {
    std::string out;
    for (const Operator& known : kOperators) {
        if (column != nullptr && !fits(known, *column)) continue;
        out.append(out.empty() ? "" : ", ").append(known.name);
    }
    return out;
}

// `true` may stand where nothing else can.
bool sends_nothing(const Clause& clause) {
    const bool null = clause.value == nullptr || clause.value->is(Kind::null);
    return null || (clause.value->is(Kind::boolean) && clause.value->text == "true");
}

}  // namespace

Sql clause_condition(const Clause& clause) {
    const auto known =
        std::ranges::find(kOperators, clause.op, [](const Operator& each) { return each.name; });
    if (known == std::end(kOperators)) {
        return bad_params("There is no operator " + std::string(clause.op) +
                          ". The operators are " + names(nullptr) + '.');
    }
    if (!fits(*known, clause.column)) {
        const std::string column(clause.column.name);
        return bad_params(std::string(clause.op) + " cannot be used with " + column +
                          ", which takes " + names(&clause.column) + '.');
    }
    if (!known->takes_value && !sends_nothing(clause)) return misfit(clause, "no value");
    if (clause.op != "eq" && clause.op != "in" && clause.op != "is_null") ++clause.query.searched;
    return known->meaning(clause);
}

}  // namespace svc::data::filter
