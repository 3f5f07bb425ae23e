// Functions over rows of a relation, and changed().
#include "model/expr/typer.hpp"

namespace svc::model {

// exists, count, sum, all.
ExprPtr Typer::over_rows(ExprFunction function, const Syntax& node) {
    ExprPtr rows = any(node.args[0]);
    if (!rows) return nullptr;
    const bool exists = function == ExprFunction::exists;
    const bool list = scope_.flow && (rows->open || rows->type == ExprType::list);
    if (list && function == ExprFunction::count)
        return made_call(function, ExprType::integer, {rows});
    if (!of_many(*rows)) {
        const bool null_test = exists && rows->kind == ExprKind::path;
        if (null_test) return made_call(function, ExprType::boolean, {rows});
        return fail(node, "BAD_OPERAND", node.text + " needs the rows of a relation.",
                    "name a relation" + std::string(exists || function == ExprFunction::count
                                                        ? ""
                                                        : " and one of its fields"));
    }
    if (exists) return made_call(function, ExprType::boolean, {rows});
    if (function == ExprFunction::count) return made_call(function, ExprType::integer, {rows});
    const bool sums = function == ExprFunction::sum;
    if (sums ? is_number(rows->type) : rows->type == ExprType::boolean) {
        return made_call(function, rows->type, {rows});
    }
    return fail(node, "TYPE_MISMATCH",
                node.text + " needs " + (sums ? "numbers" : "booleans") + ", but this is " +
                    in_words(rows->type) + ".",
                sums ? "name a number field of the rows" : "name a boolean field of the rows");
}

// The extreme of a relation's field, or of two or more values.
ExprPtr Typer::extreme(ExprFunction function, const Syntax& node) {
    if (node.args.size() > 1) return same_types(function, node);
    ExprPtr rows = any(node.args[0]);
    if (!rows) return nullptr;
    const bool ordered = is_number(rows->type) || rows->type == ExprType::text ||
                         rows->type == ExprType::date || rows->type == ExprType::time ||
                         rows->type == ExprType::timestamp;
    if (of_many(*rows) && ordered) return made_call(function, rows->type, {rows});
    return fail(node, "BAD_OPERAND",
                node.text + " needs a field of a relation's rows, or two values.");
}

ExprPtr Typer::changed(ExprFunction function, const Syntax& node) {
    if (!scope_.has_new || !scope_.has_old) {
        return fail(node, "ROW_NOT_HERE", "changed works only in a rule on update.",
                    "write a separate rule for update");
    }
    Syntax field = node.args[0];
    if (field.kind == ExprKind::path && field.names.size() == 2 &&
        (field.names[0] == "new" || field.names[0] == "old")) {
        field.names.erase(field.names.begin());
    }
    if (field.kind != ExprKind::path || field.names.size() != 1) {
        return fail(node, "BAD_OPERAND", "changed needs a field of the row.");
    }
    ExprPtr expr = row_path(field, Root::new_, 0);
    if (!expr) return nullptr;
    if (of_many(*expr)) return fail(node, "BAD_OPERAND", "changed needs a field of the row.");
    return made_call(function, ExprType::boolean, {expr});
}

}  // namespace svc::model
