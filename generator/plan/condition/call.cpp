// Function calls and paths of expressions as C++.
#include "model/values.hpp"
#include "plan/condition/parts.hpp"
#include "plan/condition/text.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprType;
using model::FieldType;
using model::Root;
using model::Step;

struct Reader {
    const char* method;  // of svc::Record
    CppType type;
};

Reader reader(FieldType type) {
    switch (type) {
        case FieldType::integer:
        case FieldType::money:
            return {"integer", CppType::integer};
        case FieldType::number:
        case FieldType::decimal:
            return {"decimal", CppType::number};
        case FieldType::float_:
            return {"floating", CppType::number};
        case FieldType::boolean:
            return {"boolean", CppType::boolean};
        case FieldType::date:
            return {"date", CppType::day};
        case FieldType::time:
            return {"time", CppType::time};
        case FieldType::datetime:
            return {"timestamp", CppType::moment};
        case FieldType::tags:
            return {"tags", CppType::tags};
        case FieldType::json:
            return {"text", CppType::json};
        case FieldType::string:
        case FieldType::text:
        case FieldType::email:
        case FieldType::url:
        case FieldType::phone:
        case FieldType::slug:
        case FieldType::enum_:
        case FieldType::sequence:
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return {"text", CppType::text};
    }
    return {"text", CppType::text};
}

FieldType field_type(const Step& step, const CppScope& scope) {
    if (step.builtin == "created_at" || step.builtin == "updated_at") return FieldType::datetime;
    if (!step.builtin.empty()) return FieldType::uuid;
    return scope.model.entities[step.entity].fields[step.field].type;
}

std::string column(const Step& step, const CppScope& scope) {
    const std::string name = step.builtin.empty()
                                 ? scope.model.entities[step.entity].fields[step.field].name
                                 : step.builtin;
    if (scope.columns != nullptr) scope.columns->insert(name);
    return "(field::" + cpp_identifier(name) + ")";
}

std::string viewer_value(const std::string& attribute) {
    return "viewer." + (attribute == "isAdmin" ? "is_admin" : attribute);
}

bool walks_away(const Expr& path) {
    return path.steps.size() != 1 || path.steps[0].kind != Step::Kind::field;
}

const char* name_of(CppType type) {
    switch (type) {
        case CppType::truth:
        case CppType::boolean:
            return "bool";
        case CppType::integer:
            return "std::int64_t";
        case CppType::number:
            return "svc::Number";
        case CppType::text:
        case CppType::json:
            return "std::string_view";
        case CppType::day:
            return "svc::Day";
        case CppType::time:
            return "svc::TimeOfDay";
        case CppType::moment:
            return "svc::Moment";
        case CppType::span:
            return "svc::Span";
        case CppType::tags:
            return "svc::TagList";
    }
    return "bool";
}

// Whole numbers are numbers where another is not whole.
CppType common(CppType left, CppType right) {
    if (left == CppType::truth) return right;
    return left == CppType::integer && right == CppType::number ? right : left;
}

CppType nullable(CppType type) { return type == CppType::truth ? CppType::boolean : type; }

MaybeCode about_texts(const Expr& call, const CppScope& scope) {
    const std::string& name = call.text;
    if (name == "trim") return cpp_function("trimmed", call.args, CppType::text, scope);
    if (name == "size") return cpp_function("length", call.args, CppType::integer, scope);
    if (name == "contains") return cpp_function("contains", call.args, CppType::boolean, scope);
    if (name == "startsWith")
        return cpp_function("starts_with", call.args, CppType::boolean, scope);
    if (name == "endsWith") return cpp_function("ends_with", call.args, CppType::boolean, scope);
    return std::nullopt;  // lower, upper, matches, and all over other rows
}

MaybeCode exists(const Expr& path, const CppScope& scope) {
    MaybeCode code = cpp_value(path, scope);
    if (!code) return code;
    if (code->type == CppType::truth) return CppCode{"true", CppType::truth};
    return CppCode{"!svc::is_null(" + code->text + ")", CppType::truth, Binding::comparison};
}

MaybeCode extreme(const Expr& call, const CppScope& scope) {
    if (call.args.size() < 2) return std::nullopt;  // over a relation
    if (call.type == ExprType::tags || call.type == ExprType::json) return std::nullopt;
    return cpp_common(call.text == "min" ? "least" : "greatest", call.args, scope);
}

MaybeCode midnight(const Expr& call, const CppScope& scope) {
    if (!lives_in_utc(scope)) return std::nullopt;
    return cpp_function("midnight", call.args, CppType::moment, scope);
}

MaybeCode day_of(const Expr& call, const CppScope& scope) {
    if (!lives_in_utc(scope)) return std::nullopt;
    return cpp_function("day_of", call.args, CppType::day, scope);
}

}  // namespace

MaybeCode cpp_path(const Expr& path, const CppScope& scope) {
    switch (path.root) {
        case Root::user:
            return CppCode{viewer_value(path.text),
                           path.text == "isAdmin" ? CppType::truth : CppType::text};
        case Root::row:
        case Root::new_:
        case Root::old_:
            break;
        case Root::part:
            return CppCode{scope.row + ".text(part::" + cpp_identifier(path.text) + ")",
                           CppType::text};
        case Root::input:  // of steps alone
        case Root::step:
        case Root::local:
            return std::nullopt;
    }
    if (walks_away(path)) return std::nullopt;
    const std::string& row = path.root == Root::row    ? scope.row
                             : path.root == Root::new_ ? scope.new_row
                                                       : scope.old_row;
    const Reader how = reader(field_type(path.steps[0], scope));
    return CppCode{row + "." + how.method + column(path.steps[0], scope), how.type};
}

MaybeCode cpp_changed(const Expr& path, const CppScope& scope) {
    if (walks_away(path)) return std::nullopt;
    const FieldType type = field_type(path.steps[0], scope);
    if (type == FieldType::json) return std::nullopt;
    const char* method = type == FieldType::float_ ? "stored_float"
                         : type == FieldType::tags ? "text"
                                                   : reader(type).method;
    const std::string value = "." + std::string(method) + column(path.steps[0], scope);
    return CppCode{"svc::distinct(" + scope.new_row + value + ", " + scope.old_row + value + ")",
                   CppType::truth};
}

MaybeCode cpp_function(const std::string& name, const std::vector<model::ExprPtr>& args,
                       CppType type, const CppScope& scope) {
    std::string list;
    for (const auto& arg : args) {
        MaybeCode code = cpp_value(*arg, scope);
        if (!code) return code;
        const bool first_text = list.empty() && code->literal && code->type == CppType::text;
        list += (list.empty() ? "" : ", ") + (first_text ? left_operand(*code) : code->text);
    }
    return CppCode{"svc::" + name + "(" + list + ")", type};
}

MaybeCode cpp_common(const std::string& name, const std::vector<model::ExprPtr>& args,
                     const CppScope& scope) {
    CppType type = CppType::truth;
    for (const auto& arg : args) {
        MaybeCode code = cpp_value(*arg, scope);
        if (!code) return code;
        type = common(type, code->type);
    }
    return cpp_function(name + "<" + name_of(type) + ">", args, nullable(type), scope);
}

MaybeCode cpp_call(const Expr& call, const CppScope& scope) {
    const std::string& name = call.text;
    if (name == "now") return CppCode{"viewer.now", CppType::moment};
    if (name == "today") return CppCode{"viewer.today", CppType::day};
    if (name == "duration") {
        const auto seconds = std::to_string(model::seconds_of(call.args[0]->text).value_or(0));
        return CppCode{"svc::seconds(" + seconds + ")", CppType::span};
    }
    if (name == model::kMoment) return midnight(call, scope);
    if (name == "date") return day_of(call, scope);
    if (name == "changed") return cpp_changed(*call.args[0], scope);
    if (name == "exists") return exists(*call.args[0], scope);
    if (name == "min" || name == "max") return extreme(call, scope);
    if (name == "coalesce") return cpp_common("coalesce", call.args, scope);
    if (name == "abs") return cpp_function("absolute", call.args, CppType::number, scope);
    if (name == "round") return cpp_function("rounded", call.args, CppType::number, scope);
    if (name == "member" || name == "can") return std::nullopt;
    return about_texts(call, scope);
}

}  // namespace svc::plan
