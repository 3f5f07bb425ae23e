// Calls of functions in the oracle's values.
#include <algorithm>

#include "model/expr/typer.hpp"
#include "verify/oracle/oracle.hpp"

namespace svc::devapi::verification {
namespace {

using model::Expr;
using model::ExprFunction;
using model::ExprType;
using model::Root;

}  // namespace

// A day has 24 hours, whatever the clocks do.
std::string Oracle::interval(const std::string& text) {
    const std::string number = text.substr(0, text.size() - 1);
    const char unit = text.back();
    const long hours = unit == 'd' ? std::stol(number) * 24 : std::stol(number);
    return unit == 's'   ? "make_interval(secs => " + number + ")"
           : unit == 'm' ? "make_interval(mins => " + number + ")"
                         : "make_interval(hours => " + std::to_string(hours) + ")";
}

std::string Oracle::over_rows(const Expr& call, const Rows& rows) {
    const Expr& of = *call.args[0];
    const ExprFunction function = call.function;
    if (function == ExprFunction::exists) return "exists " + path(of, rows, "1");
    if (function == ExprFunction::count) return path(of, rows, "count(*)");
    if (function == ExprFunction::sum) return path(of, rows, "coalesce(sum($), 0)");
    if (function == ExprFunction::all)
        return path(of, rows, "coalesce(bool_and(coalesce($, false)), true)");
    return path(of, rows, std::string(base::word(function)) + "($)");
}

std::string Oracle::of_text(const Expr& call, const Rows& rows) {
    const ExprFunction function = call.function;
    const bool tags = call.args[0]->type == ExprType::tags;
    const std::string text = "(" + value(*call.args[0], rows) + (tags ? ")::text[]" : ")::text");
    if (function == ExprFunction::lower || function == ExprFunction::upper)
        return std::string(base::word(function)) + "(" + text + ")";
    if (function == ExprFunction::trim) return "trim(both ' ' from " + text + ")";
    if (function == ExprFunction::size)
        return (tags ? "coalesce(array_length(" : "length(") + text +
               (tags ? ", 1), case when " + text + " is null then null else 0 end)" : ")");
    const std::string other = "(" + value(*call.args[1], rows) + ")::text";
    if (function == ExprFunction::contains && tags)
        return "(" + text + " @> array[" + other + "] and " + other + " is not null)";
    if (function == ExprFunction::contains) return "(position(" + other + " in " + text + ") > 0)";
    if (function == ExprFunction::starts_with)
        return "(left(" + text + ", length(" + other + ")) = " + other + ")";
    if (function == ExprFunction::ends_with)
        return "(reverse(left(reverse(" + text + "), length(" + other + "))) = " + other + ")";
    return "(" + text + " ~ " + other + ")";
}

std::string Oracle::called(const Expr& call, const Rows& rows) {
    const ExprFunction function = call.function;
    if (function == ExprFunction::now) return "now()";
    if (function == ExprFunction::today) return "current_date";
    if (function == ExprFunction::moment)
        return "(" + value(*call.args[0], rows) + ")::timestamptz";
    if (function == ExprFunction::date) return "(" + value(*call.args[0], rows) + ")::date";
    if (function == ExprFunction::duration) return interval(call.args[0]->text);
    if (function == ExprFunction::can) return can(call, rows);
    if (function == ExprFunction::changed) {
        Expr before = *call.args[0], after = before;
        before.root = Root::old_;
        after.root = Root::new_;
        return "(" + path(after, rows, "$") + " is distinct from " + path(before, rows, "$") + ")";
    }
    if (function == ExprFunction::member) {
        const bool fits = call.args.size() == 1 ||
                          std::any_of(call.args.begin() + 1, call.args.end(), [&](const auto& arg) {
                              return !caller_.org_role.empty() && arg->text == caller_.org_role;
                          });
        return "(" + value(*call.args[0], rows) + " = " + of_caller(model::CallerAttribute::org) +
               (fits ? ")" : " and false)");
    }
    const bool one = call.args.size() == 1;
    if (one && model::of_many(*call.args[0])) return over_rows(call, rows);
    if (function == ExprFunction::exists) return "(" + value(*call.args[0], rows) + " is not null)";
    std::string listed;
    for (const auto& arg : call.args) listed += (listed.empty() ? "" : ", ") + value(*arg, rows);
    if (function == ExprFunction::coalesce) return "coalesce(" + listed + ")";
    if (function == ExprFunction::abs) return "abs((" + listed + ")::numeric)";
    if (function == ExprFunction::round)
        return "round((" + value(*call.args[0], rows) + ")::numeric" +
               (one ? ")" : ", " + call.args[1]->text + ")");
    if (function == ExprFunction::min || function == ExprFunction::max)
        return (function == ExprFunction::min ? "least(" : "greatest(") + listed + ")";
    return of_text(call, rows);
}

}  // namespace svc::devapi::verification
