// Function calls and paths of expressions, for conditions of the server.
#include "model/values.hpp"
#include "plan/condition/parts.hpp"

namespace svc::plan {
namespace {

using model::CallerAttribute;
using model::Expr;
using model::ExprFunction;
using model::ExprType;
using model::FieldType;
using model::Root;
using model::Step;

struct Reader {
    const char* method;  // of svc::Record
    ConditionType type;
};

Reader reader(FieldType type) {
    switch (type) {
        case FieldType::integer:
        case FieldType::money:
            return {"integer", ConditionType::integer};
        case FieldType::number:
        case FieldType::decimal:
            return {"decimal", ConditionType::number};
        case FieldType::float_:
            return {"floating", ConditionType::number};
        case FieldType::boolean:
            return {"boolean", ConditionType::boolean};
        case FieldType::date:
            return {"date", ConditionType::day};
        case FieldType::time:
            return {"time", ConditionType::time};
        case FieldType::datetime:
            return {"timestamp", ConditionType::moment};
        case FieldType::tags:
            return {"tags", ConditionType::tags};
        case FieldType::json:
            return {"text", ConditionType::json};
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
            return {"text", ConditionType::text};
    }
    return {"text", ConditionType::text};
}

FieldType field_type(const Step& step, const model::Model& model) {
    if (step.builtin == "created_at" || step.builtin == "updated_at") return FieldType::datetime;
    if (!step.builtin.empty()) return FieldType::uuid;
    return model.entities[step.entity].fields[step.field].type;
}

ConditionPtr column(const Step& step, const Reader& how, ConditionRow row,
                    const model::Model& model) {
    return piece({.kind = ConditionKind::column,
                  .type = how.type,
                  .name = step.builtin.empty() ? model.entities[step.entity].fields[step.field].name
                                               : step.builtin,
                  .of = how.method,
                  .row = row});
}

ConditionPtr viewer_value(const std::string& name, ConditionType type) {
    return piece({.kind = ConditionKind::viewer, .type = type, .name = name});
}

ConditionPtr viewer_attribute(CallerAttribute attribute) {
    return attribute == CallerAttribute::is_admin
               ? viewer_value("is_admin", ConditionType::truth)
               : viewer_value(std::string(base::word(attribute)), ConditionType::text);
}

bool walks_away(const Expr& path) {
    return path.steps.size() != 1 || path.steps[0].kind != Step::Kind::field;
}

// Whole numbers are numbers where another is not whole.
ConditionType common(ConditionType left, ConditionType right) {
    if (left == ConditionType::truth) return right;
    return left == ConditionType::integer && right == ConditionType::number ? right : left;
}

ConditionType nullable(ConditionType type) {
    return type == ConditionType::truth ? ConditionType::boolean : type;
}

ConditionPtr exists(const Expr& path, const model::Model& model) {
    ConditionPtr value = value_of(path, model);
    if (!value) return nullptr;
    if (value->type == ConditionType::truth) return truth(true);
    return negation(called("is_null", {std::move(value)}, ConditionType::truth));
}

ConditionPtr extreme(const Expr& call, const model::Model& model) {
    if (call.args.size() < 2) return nullptr;  // over a relation
    if (call.type == ExprType::tags || call.type == ExprType::json) return nullptr;
    return common_of(call.function == ExprFunction::min ? "least" : "greatest", call.args, model);
}

ConditionPtr in_utc(const char* name, const Expr& call, ConditionType type,
                    const model::Model& model) {
    return lives_in_utc(model) ? function_of(name, call.args, type, model) : nullptr;
}

ConditionPtr duration(const Expr& call) {
    const auto seconds = std::to_string(model::seconds_of(call.args[0]->text).value_or(0));
    return called("seconds", {integer_literal(seconds)}, ConditionType::span);
}

ConditionPtr changed(const Expr& path, const model::Model& model) {
    if (walks_away(path)) return nullptr;
    const FieldType type = field_type(path.steps[0], model);
    if (type == FieldType::json) return nullptr;
    Reader how = reader(type);
    if (type == FieldType::float_) how.method = "stored_float";
    if (type == FieldType::tags) how.method = "text";
    return called("distinct",
                  {column(path.steps[0], how, ConditionRow::after, model),
                   column(path.steps[0], how, ConditionRow::before, model)},
                  ConditionType::truth);
}

ConditionRow row_of(Root root) {
    if (root == Root::new_) return ConditionRow::after;
    return root == Root::old_ ? ConditionRow::before : ConditionRow::row;
}

}  // namespace

ConditionPtr path_of(const Expr& path, const model::Model& model) {
    switch (path.root) {
        case Root::user:
            return viewer_attribute(path.attribute);
        case Root::row:
        case Root::new_:
        case Root::old_:
            break;
        case Root::part:
            return piece(
                {.kind = ConditionKind::part, .type = ConditionType::text, .name = path.text});
        case Root::input:  // of steps alone
        case Root::step:
        case Root::local:
            return nullptr;
    }
    if (walks_away(path)) return nullptr;
    return column(path.steps[0], reader(field_type(path.steps[0], model)), row_of(path.root),
                  model);
}

ConditionPtr function_of(const std::string& name, const std::vector<model::ExprPtr>& args,
                         ConditionType type, const model::Model& model) {
    std::vector<ConditionPtr> values;
    for (const auto& arg : args) {
        ConditionPtr value = value_of(*arg, model);
        if (!value) return nullptr;
        values.push_back(std::move(value));
    }
    return called(name, std::move(values), type);
}

ConditionPtr common_of(const std::string& name, const std::vector<model::ExprPtr>& args,
                       const model::Model& model) {
    const ConditionPtr made = function_of(name, args, ConditionType::truth, model);
    if (!made) return nullptr;
    Condition out = *made;
    out.kind = ConditionKind::typed_call;
    for (const ConditionPtr& arg : out.args) out.arguments = common(out.arguments, arg->type);
    out.type = nullable(out.arguments);
    return piece(std::move(out));
}

ConditionPtr call_of(const Expr& call, const model::Model& model) {
    const auto as = [&](const char* function, ConditionType type) {
        return function_of(function, call.args, type, model);
    };
    switch (call.function) {
        case ExprFunction::now:
            return viewer_value("now", ConditionType::moment);
        case ExprFunction::today:
            return viewer_value("today", ConditionType::day);
        case ExprFunction::duration:
            return duration(call);
        case ExprFunction::moment:
            return in_utc("midnight", call, ConditionType::moment, model);
        case ExprFunction::date:
            return in_utc("day_of", call, ConditionType::day, model);
        case ExprFunction::changed:
            return changed(*call.args[0], model);
        case ExprFunction::exists:
            return exists(*call.args[0], model);
        case ExprFunction::min:
        case ExprFunction::max:
            return extreme(call, model);
        case ExprFunction::coalesce:
            return common_of("coalesce", call.args, model);
        case ExprFunction::abs:
            return as("absolute", ConditionType::number);
        case ExprFunction::round:
            return as("rounded", ConditionType::number);
        case ExprFunction::trim:
            return as("trimmed", ConditionType::text);
        case ExprFunction::size:
            return as("length", ConditionType::integer);
        case ExprFunction::contains:
            return as("contains", ConditionType::boolean);
        case ExprFunction::starts_with:
            return as("starts_with", ConditionType::boolean);
        case ExprFunction::ends_with:
            return as("ends_with", ConditionType::boolean);
        case ExprFunction::lower:
        case ExprFunction::upper:
        case ExprFunction::matches:
        case ExprFunction::count:  // over other rows, as sum and all
        case ExprFunction::sum:
        case ExprFunction::all:
        case ExprFunction::member:
        case ExprFunction::can:
            return nullptr;
    }
    return nullptr;
}

}  // namespace svc::plan
