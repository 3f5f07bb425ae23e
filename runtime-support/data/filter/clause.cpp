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
    Op op;
    Sql (*meaning)(const Clause&);
    TypeSet fits;
    bool takes_value = true;
};

// The functions are in operators.cpp, text_operators.cpp and periods.cpp.
constexpr Operator kOperators[] = {
    {Op::eq, equal, kAny},
    {Op::neq, not_equal, kAny},
    {Op::in, member, kAny},
    {Op::not_in, not_member, kAny},
    {Op::lt, less, kOrdered},
    {Op::lte, less_or_equal, kOrdered},
    {Op::gt, greater, kOrdered},
    {Op::gte, greater_or_equal, kOrdered},
    {Op::between, between, kOrdered},
    {Op::range, range, kOrdered},
    {Op::contains, contains, kTexts | set({Type::tags})},
    {Op::not_contains, not_contains, kTexts | set({Type::tags})},
    {Op::starts_with, starts_with, kTexts},
    {Op::ends_with, ends_with, kTexts},
    {Op::is_null, null_test, kAny, false},
    {Op::is_not_null, not_null, kAny, false},
    {Op::today, this_period, kDated, false},
    {Op::yesterday, this_period, kDated, false},
    {Op::this_week, this_period, kDated, false},
    {Op::this_month, this_period, kDated, false},
    {Op::this_year, this_period, kDated, false},
    {Op::last_n_days, n_days, kDated},
    {Op::next_n_days, n_days, kDated},
};

constexpr bool operators_in_order() {
    for (std::size_t i = 0; i < std::size(kOperators); ++i) {
        if (static_cast<std::size_t>(kOperators[i].op) != i) return false;
    }
    return std::size(kOperators) == base::Words<Op>::kAll.size();
}
static_assert(operators_in_order(), "every operator has its row, at its place");

const Operator& known_operator(Op op) { return kOperators[static_cast<std::size_t>(op)]; }

bool fits(Op op, const Column& column) {
    return (known_operator(op).fits & set({column.type})) != 0;
}

// The operators of a column of this type, or all.
std::string names(const Column* column) {
    std::string out;
    for (const std::string_view name : base::Words<Op>::kAll) {
        if (column != nullptr && !fits(*base::read_word<Op>(name), *column)) continue;
        out.append(out.empty() ? "" : ", ").append(name);
    }
    return out;
}

// `true` may stand where nothing else can.
bool sends_nothing(const Clause& clause) {
    const bool null = clause.value == nullptr || clause.value->is(Kind::null);
    return null || (clause.value->is(Kind::boolean) && clause.value->text == "true");
}

}  // namespace

Result<Op> operator_named(std::string_view name) {
    if (const auto op = base::read_word<Op>(name)) return *op;
    return bad_params("There is no operator " + std::string(name) + ". The operators are " +
                      names(nullptr) + '.');
}

Sql clause_condition(const Clause& clause) {
    if (!fits(clause.op, clause.column)) {
        return bad_params(std::string(base::word(clause.op)) + " cannot be used with " +
                          std::string(clause.column.name) + ", which takes " +
                          names(&clause.column) + '.');
    }
    const Operator& known = known_operator(clause.op);
    if (!known.takes_value && !sends_nothing(clause)) return misfit(clause, "no value");
    if (clause.op != Op::eq && clause.op != Op::in && clause.op != Op::is_null)
        ++clause.query.searched;
    return known.meaning(clause);
}

}  // namespace svc::data::filter
