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
    Sql (*meaning)(const Clause&);
    TypeSet fits;
    bool takes_value = true;
};

// In the order of Op.
constexpr Operator kOperators[] = {
    {equal, kAny},
    {not_equal, kAny},
    {member, kAny},
    {not_member, kAny},
    {less, kOrdered},
    {less_or_equal, kOrdered},
    {greater, kOrdered},
    {greater_or_equal, kOrdered},
    {between, kOrdered},
    {range, kOrdered},
    {contains, kTexts | set({Type::tags})},
    {not_contains, kTexts | set({Type::tags})},
    {starts_with, kTexts},
    {ends_with, kTexts},
    {null_test, kAny, false},
    {not_null, kAny, false},
    {this_period, kDated, false},
    {this_period, kDated, false},
    {this_period, kDated, false},
    {this_period, kDated, false},
    {this_period, kDated, false},
    {n_days, kDated},
    {n_days, kDated},
};

static_assert(std::size(kOperators) == base::Words<Op>::kAll.size());

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
