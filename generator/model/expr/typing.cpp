#include "model/expr/typing.hpp"

#include <utility>

#include "base/utf8.hpp"
#include "diag/source_map.hpp"
#include "model/expr/syntax.hpp"
#include "model/expr/typer.hpp"

namespace svc::model {
namespace {

std::optional<Syntax> parsed(const Written& source, const ExprScope& scope,
                             diag::Findings& findings) {
    SyntaxError error;
    std::optional<Syntax> syntax = parse_expression(source.text, error);
    if (!syntax) {
        findings.error("BAD_EXPRESSION", source.place(error.column),
                       "Column " + std::to_string(source.column(error.column)) +
                           in_what(scope, source.offset) + error.message + ".",
                       error.fix);
    }
    return syntax;
}

ExprPtr value_of(const Written& source, const ExprScope& scope, diag::Findings& findings) {
    const std::optional<Syntax> syntax = parsed(source, scope, findings);
    if (!syntax) return nullptr;
    return Typer(scope, source, findings).value(*syntax);
}

}  // namespace

std::size_t Written::column(std::size_t byte) const {
    return before + base::characters(std::string_view(text).substr(0, byte - 1)) + 1;
}

std::string Written::place(std::size_t byte) const { return diag::inside(path, offset + byte - 1); }

ExprPtr read_expression(const contract::Text& text, const ExprScope& scope,
                        diag::Findings& findings) {
    return value_of({text.text, text.path}, scope, findings);
}

ExprPtr read_condition(const contract::Text& text, const ExprScope& scope,
                       diag::Findings& findings) {
    const Written source{text.text, text.path};
    const std::optional<Syntax> syntax = parsed(source, scope, findings);
    if (!syntax) return nullptr;
    return Typer(scope, source, findings).condition(*syntax);
}

ExprPtr read_any(const contract::Text& text, const ExprScope& scope, diag::Findings& findings) {
    const Written source{text.text, text.path};
    const std::optional<Syntax> syntax = parsed(source, scope, findings);
    if (!syntax) return nullptr;
    return Typer(scope, source, findings).any(*syntax);
}

ExprPtr read_placeholder(const contract::Text& text, const ExprScope& scope,
                         std::optional<ExprType> type, diag::Findings& findings) {
    const Written source{text.text, text.path, 1, 1};
    const std::optional<Syntax> syntax = parsed(source, scope, findings);
    if (!syntax) return nullptr;
    Typer typer(scope, source, findings);
    ExprPtr expr = typer.value(*syntax);
    if (!expr || !type || *type == ExprType::json || expr->type == ExprType::null) return expr;
    return typer.as(expr, *type, *syntax);
}

ExprPtr read_value(const contract::Text& text, const ExprScope& scope, const Field& field,
                   diag::Findings& findings, std::size_t offset) {
    const Written source{text.text, text.path, offset, offset};  // braces alone stand before it
    const std::optional<Syntax> syntax = parsed(source, scope, findings);
    if (!syntax) return nullptr;
    Typer typer(scope, source, findings);
    ExprPtr expr = typer.value(*syntax);
    if (!expr) return nullptr;
    if (expr->type == ExprType::null) {
        if (!field.required) return expr;
        return typer.fail(*syntax, "TYPE_MISMATCH",
                          "\"" + field.name + "\" is required, so it cannot be null.");
    }
    const bool anything = scope.flow != nullptr && field.type == FieldType::json;
    if (!anything) expr = typer.as(expr, expr_type(field.type), *syntax);
    if (!expr) return nullptr;
    if (is_literal(*expr) && !typer.known_value(expr, field.values, *syntax)) return nullptr;
    return expr;
}

std::vector<MessagePart> read_message(const contract::Text& text, const ExprScope& scope,
                                      diag::Findings& findings) {
    std::vector<MessagePart> out;
    const std::string& whole = text.text;
    for (std::size_t at = 0; at < whole.size();) {
        const std::size_t open = whole.find_first_of("{}", at);
        if (open != at) out.push_back({whole.substr(at, open - at), nullptr});
        if (open == std::string::npos) break;
        const std::size_t close = whole.find_first_of("{}", open + 1);
        if (whole[open] == '}' || close == std::string::npos || whole[close] == '{') {
            const Written place{whole, text.path};
            findings.error("BAD_MESSAGE", place.place(open + 1),
                           "Column " + std::to_string(place.column(open + 1)) +
                               in_what(scope, open + 1) + "this brace has no matching brace.",
                           "write {expression} for a value; a message can have no other braces");
            break;
        }
        const Written placeholder{whole.substr(open + 1, close - open - 1), text.path, open + 1,
                                  base::characters(whole.substr(0, open + 1))};
        if (ExprPtr expr = value_of(placeholder, scope, findings)) out.push_back({"", expr});
        at = close + 1;
    }
    return out;
}

ExprType expr_type(FieldType type) {
    switch (type) {
        case FieldType::string:
        case FieldType::text:
        case FieldType::email:
        case FieldType::url:
        case FieldType::phone:
        case FieldType::slug:
        case FieldType::enum_:
        case FieldType::sequence:
            return ExprType::text;
        case FieldType::integer:
        case FieldType::money:
            return ExprType::integer;
        case FieldType::number:
        case FieldType::decimal:
        case FieldType::float_:
            return ExprType::decimal;
        case FieldType::boolean:
            return ExprType::boolean;
        case FieldType::date:
            return ExprType::date;
        case FieldType::time:
            return ExprType::time;
        case FieldType::datetime:
            return ExprType::timestamp;
        case FieldType::tags:
            return ExprType::tags;
        case FieldType::json:
            return ExprType::json;
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return ExprType::uuid;
    }
    return ExprType::null;
}

std::string in_words(ExprType type) {
    switch (type) {
        case ExprType::boolean:
            return "a boolean";
        case ExprType::integer:
            return "a whole number";
        case ExprType::decimal:
            return "a number";
        case ExprType::text:
            return "a string";
        case ExprType::date:
            return "a date";
        case ExprType::time:
            return "a time";
        case ExprType::timestamp:
            return "a datetime";
        case ExprType::uuid:
            return "an id";
        case ExprType::duration:
            return "a duration";
        case ExprType::tags:
            return "a list of tags";
        case ExprType::json:
            return "JSON";
        case ExprType::list:
            return "a list";
        case ExprType::rows:
            return "rows";
        case ExprType::null:
            return "null";
    }
    return "";
}

ExprPtr owned_by_caller(std::size_t entity, const Owner& owner) {
    const auto equals = [entity](const char* column, CallerAttribute attribute) {
        auto row = std::make_shared<Expr>();
        row->kind = ExprKind::path;
        row->type = ExprType::uuid;
        row->steps.push_back({Step::Kind::field, entity, 0, 0, column});
        auto test = std::make_shared<Expr>();
        test->kind = ExprKind::eq;
        test->type = ExprType::boolean;
        test->args = {row, caller_value(attribute)};
        return test;
    };
    if (!owner.user && !owner.org) return nullptr;
    if (!owner.org) return equals("user_id", CallerAttribute::id);
    if (!owner.user) return equals("org_id", CallerAttribute::org);
    auto both = std::make_shared<Expr>();
    both->kind = ExprKind::and_;
    both->type = ExprType::boolean;
    both->args = {equals("user_id", CallerAttribute::id), equals("org_id", CallerAttribute::org)};
    return both;
}

}  // namespace svc::model
