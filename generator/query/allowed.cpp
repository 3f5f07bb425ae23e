#include "query/allowed.hpp"

#include <algorithm>

#include "sql/allowed.hpp"

namespace svc::query {
namespace {

constexpr std::string_view kNodes =
    "A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean "
    "BooleanTest CTECycleClause CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause "
    "ColumnDef ColumnRef Float GroupingFunc GroupingSet IndexElem InferClause Integer JoinExpr "
    "List "
    "MinMaxExpr MultiAssignRef NamedArgExpr Null NullTest OnConflictClause RangeFunction "
    "RangeSubselect ResTarget RowExpr SetToDefault SortBy String SubLink TypeCast WindowDef ";

std::vector<std::string> split(std::initializer_list<std::string_view> lists) {
    std::vector<std::string> out;
    for (std::string_view list : lists) {
        for (auto blank = list.find(' '); blank != std::string_view::npos; blank = list.find(' ')) {
            if (blank > 0) out.emplace_back(list.substr(0, blank));
            list.remove_prefix(blank + 1);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

bool has(const std::vector<std::string>& sorted, std::string_view word) {
    return std::binary_search(sorted.begin(), sorted.end(), word);
}

}  // namespace

const std::vector<std::string>& functions() {
    static const std::vector<std::string> kAll = split({sql::kBounded, sql::kUnbounded});
    return kAll;
}

bool is_function(std::string_view name) { return sql::is_computing(name); }

bool is_type(std::string_view name) { return sql::is_type(name); }

bool is_operator(std::string_view symbol) {
    // The grammar's own, as BETWEEN, are made of words.
    const bool of_grammar = !symbol.empty() && symbol[0] >= 'A' && symbol[0] <= 'Z';
    return of_grammar || sql::is_operator(symbol);
}

bool is_plain_node(std::string_view kind) {
    static const std::vector<std::string> kAll = split({kNodes});
    return has(kAll, kind);
}

}  // namespace svc::query
