#include "plan/flow/flow_value.hpp"

#include <algorithm>

#include "plan/flow/row_value.hpp"
#include "plan/names.hpp"
#include "plan/sql/context_path.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::Field;
using model::FieldType;
using model::FlowValue;

constexpr std::size_t kMostParts = 40;  // a function of PostgreSQL takes at most 100 arguments
constexpr std::size_t kMostWidth = 78;  // of a line that a reader sees whole

// function(a, b, c), broken into lines if it is long, and into several of it if it has many.
std::string built(const std::string& function, const std::vector<std::string>& parts) {
    if (parts.empty()) return function + "()";
    std::string out;
    for (std::size_t begin = 0; begin < parts.size(); begin += kMostParts) {
        const std::size_t end = std::min(begin + kMostParts, parts.size());
        std::string line;
        std::string lines;
        for (std::size_t i = begin; i < end; ++i) {
            line += (i == begin ? "" : ", ") + parts[i];
            lines += (i == begin ? "\n    " : ",\n    ") + parts[i];
        }
        const bool fits = line.size() <= kMostWidth && line.find('\n') == std::string::npos;
        out += (out.empty() ? "" : " || ") + function + "(" + (fits ? line : lines) + ")";
    }
    return parts.size() > kMostParts ? "(" + out + ")" : out;
}

bool is_json_type(ExprType type) { return type == ExprType::json || type == ExprType::null; }

bool is_row_list(const Expr& expr) {
    return expr.kind == ExprKind::path && leaves_context(expr) && crosses_many(expr);
}

// A value that JSON has the right form of.
std::string typed(const Expr& expr, const Scope& scope) {
    const std::string value = sql_value(expr, scope);
    if (expr.type == ExprType::timestamp) return moment_text(value);
    const bool text = expr.kind == ExprKind::literal && expr.type == ExprType::text;
    return value + (text ? "::text" : "");
}

// The values, or the rows, that a path over many rows leads to.
std::string row_list(const Expr& expr, const Scope& scope) {
    std::string each = "$column";
    if (expr.type == ExprType::rows)
        each = row_value("$row", scope.model.entities[expr.steps.back().target]);
    else if (expr.type == ExprType::timestamp)
        each = moment_text(each);
    return many_select(expr, scope, "coalesce(jsonb_agg(" + each + " order by $row.id), '[]')");
}

// The value in a form that jsonb_build_object and similar functions take.
std::string part_of(const Expr& expr, const Scope& scope) {
    const bool special = expr.kind == ExprKind::list || is_row_list(expr) ||
                         is_starting_row(expr) || expr.type == ExprType::list ||
                         expr.type == ExprType::rows;
    return special ? json_of(expr, scope) : typed(expr, scope);
}

std::string part_of(const FlowValue& value, const Scope& scope) {
    switch (value.kind) {
        case FlowValue::Kind::literal: {
            const char first = value.json.empty() ? 'n' : value.json.front();
            if (first == '"') return literal(value.said);
            return first == '{' || first == '[' ? literal(value.json) + "::jsonb" : value.json;
        }
        case FlowValue::Kind::text:
            return sql_message(value.pieces, scope);
        case FlowValue::Kind::expr:
            return part_of(*value.expr, scope);
        case FlowValue::Kind::list:
        case FlowValue::Kind::object:
            break;
    }
    return json_of(value, scope);
}

std::string tags_value(const FlowValue& value, const Scope& scope) {
    std::string items;
    for (const FlowValue& item : value.items) {
        const bool expr = item.kind == FlowValue::Kind::expr;
        const std::string text =
            expr ? sql_message({{"", item.expr}}, scope) : part_of(item, scope);
        items += (items.empty() ? "" : ", ") + text;
    }
    return "array[" + items + "]::text[]";
}

// PostgreSQL reads it as the column's type.
std::string literal_column(const FlowValue& value, const Field& field) {
    if (!value.input) return "null";
    const bool bare = field.type == FieldType::integer || field.type == FieldType::money ||
                      field.type == FieldType::boolean;
    return bare ? *value.input : literal(*value.input);
}

}  // namespace

void JsonMembers::add(const std::string& name, const std::string& value) {
    parts_.push_back(literal(name) + ", " + value);
}

std::string JsonMembers::sql() const { return built("jsonb_build_object", parts_); }

std::string json_array(const std::vector<std::string>& parts) {
    return built("jsonb_build_array", parts);
}

std::string json_object(const std::vector<model::FlowMemberValue>& members, const Scope& scope) {
    JsonMembers out;
    for (const model::FlowMemberValue& member : members)
        out.add(member.name, part_of(member.value, scope));
    return out.sql();
}

std::string json_of(const Expr& expr, const Scope& scope) {
    if (expr.kind == ExprKind::list) {
        std::vector<std::string> items;
        for (const auto& item : expr.args) items.push_back(part_of(*item, scope));
        return json_array(items);
    }
    if (is_row_list(expr)) return row_list(expr, scope);
    if (is_starting_row(expr)) return starting_row(expr, scope);
    const bool in_context = expr.type == ExprType::list || expr.type == ExprType::rows;
    if (in_context || is_json_type(expr.type)) {
        return expr.type == ExprType::null ? "null::jsonb" : sql_value(expr, scope);
    }
    return "to_jsonb(" + typed(expr, scope) + ")";
}

std::string json_of(const FlowValue& value, const Scope& scope) {
    switch (value.kind) {
        case FlowValue::Kind::literal:
            return value.json == "null" ? "null::jsonb" : literal(value.json) + "::jsonb";
        case FlowValue::Kind::text:
            return "to_jsonb((" + sql_message(value.pieces, scope) + ")::text)";
        case FlowValue::Kind::expr:
            return json_of(*value.expr, scope);
        case FlowValue::Kind::list: {
            std::vector<std::string> items;
            for (const FlowValue& item : value.items) items.push_back(part_of(item, scope));
            return json_array(items);
        }
        case FlowValue::Kind::object:
            break;
    }
    return json_object(value.members, scope);
}

std::string column_value(const FlowValue& value, const Field& field, const Scope& scope) {
    if (value.kind == FlowValue::Kind::literal && value.json == "null") return "null";
    if (field.type == FieldType::json) return json_of(value, scope);
    switch (value.kind) {
        case FlowValue::Kind::literal:
            return literal_column(value, field);
        case FlowValue::Kind::text:
            return sql_message(value.pieces, scope);
        case FlowValue::Kind::expr:
            return sql_value(*value.expr, scope);
        case FlowValue::Kind::list:
        case FlowValue::Kind::object:
            break;
    }
    return tags_value(value, scope);
}

std::string elements_of(const Expr& list, const Scope& scope) {
    if (list.kind == ExprKind::list || is_row_list(list)) return json_of(list, scope);
    return "svc.flow_list(" + json_of(list, scope) + ")";
}

}  // namespace svc::plan
