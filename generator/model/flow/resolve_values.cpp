#include <algorithm>

#include "model/flow/flow_work.hpp"
#include "model/value_mend.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Value;
using Kind = Value::Kind;

bool text_has_placeholders(const std::string& text) {
    return text.find_first_of("{}") != std::string::npos;
}

// The content of a text that is one placeholder.
std::optional<std::string> only_placeholder(const std::string& text) {
    const bool one = text.size() > 2 && text.front() == '{' &&
                     text.find_first_of("{}", 1) == text.size() - 1 && text.back() == '}';
    if (!one) return std::nullopt;
    return text.substr(1, text.size() - 2);
}

FlowValue of_expr(ExprPtr expr) {
    FlowValue out;
    if (!expr) return out;
    out.kind = FlowValue::Kind::expr;
    out.expr = std::move(expr);
    return out;
}

FlowValue literal(const Value& value) {
    FlowValue out;
    out.json = contract::json_text(value);
    if (value.is(Kind::string)) out.said = value.text;
    return out;
}

FlowValue pieces(FlowWork& flow, const Value& value) {
    FlowValue out;
    out.kind = FlowValue::Kind::text;
    out.pieces = read_message({value.text, value.path}, flow.scope, flow.work.findings);
    return out;
}

bool any_placeholders(const Value& value) {
    if (value.is(Kind::string)) return text_has_placeholders(value.text);
    return std::any_of(value.items.begin(), value.items.end(),
                       [](const Value& item) { return any_placeholders(item); }) ||
           std::any_of(
               value.members.begin(), value.members.end(),
               [](const contract::Member& member) { return any_placeholders(member.value); });
}

void mismatch(FlowWork& flow, const Value& value, const Field& field, const std::string& what) {
    flow.work.findings.error("TYPE_MISMATCH", value.path,
                             "\"" + field.name + "\" needs " + in_words(expr_type(field.type)) +
                                 ", but the value is " + what + ".");
}

void check_target(FlowWork& flow, const ExprPtr& expr, std::size_t wanted,
                  const std::string& path) {
    if (!expr) return;
    const std::optional<std::size_t> entity = refers_to(*expr, flow.work.out);
    if (!entity || *entity == wanted) return;
    const auto& entities = flow.work.out.entities;
    flow.work.findings.error("TYPE_MISMATCH", path,
                             "This is the id of a row of \"" + entities[*entity].name +
                                 "\", but a row of \"" + entities[wanted].name + "\" is needed.",
                             "use the id of a row of \"" + entities[wanted].name + "\"");
}

FlowValue placeholder(FlowWork& flow, const Value& value, const std::string& inside,
                      const Field& field) {
    const ExprPtr expr = read_value({inside, value.path}, flow.scope, field, flow.work.findings, 1);
    if (field.type == FieldType::ref && !field.broken) {
        check_target(flow, expr, field.ref_entity, value.path);
    }
    return of_expr(expr);
}

FlowValue list_of_values(FlowWork& flow, const Value& value) {
    FlowValue out;
    out.kind = FlowValue::Kind::list;
    for (const Value& item : value.items) out.items.push_back(read_value(flow, item));
    return out;
}

}  // namespace

std::optional<std::size_t> refers_to(const Expr& expr, const Model& model) {
    if (expr.kind != ExprKind::path || expr.steps.empty()) return std::nullopt;
    const Step& last = expr.steps.back();
    if (last.kind != Step::Kind::field) return std::nullopt;
    if (last.builtin == "id") return last.entity;
    if (!last.builtin.empty()) return std::nullopt;
    const Field& field = model.entities[last.entity].fields[last.field];
    if (field.type != FieldType::ref || field.broken) return std::nullopt;
    return field.ref_entity;
}

bool is_plain(const std::string& text) { return !text_has_placeholders(text); }

std::vector<const Value*> one_or_more(const Value& value) {
    if (!value.is(Kind::array)) return {&value};
    std::vector<const Value*> out;
    for (const Value& item : value.items) out.push_back(&item);
    return out;
}

FlowValue read_value(FlowWork& flow, const Value& value) {
    const bool holds_others = value.is(Kind::array) || value.is(Kind::object);
    if (!holds_others && !any_placeholders(value)) return literal(value);
    if (value.is(Kind::string)) {
        const auto inside = only_placeholder(value.text);
        if (!inside) return pieces(flow, value);
        return of_expr(
            read_placeholder({*inside, value.path}, flow.scope, std::nullopt, flow.work.findings));
    }
    if (value.is(Kind::array)) return list_of_values(flow, value);
    FlowValue out;
    out.kind = FlowValue::Kind::object;
    out.members = read_members(flow, &value);
    return out;
}

FlowValue read_value(FlowWork& flow, const Value& value, const Field& field) {
    if (field.type == FieldType::json) return read_value(flow, value);
    if (value.is(Kind::null)) {
        if (field.required) {
            flow.work.findings.error("BAD_VALUE", value.path,
                                     "\"" + field.name + "\" is required, so it cannot be null.",
                                     "write a value");
        }
        return {};
    }
    if (value.is(Kind::string) && text_has_placeholders(value.text)) {
        if (const auto inside = only_placeholder(value.text))
            return placeholder(flow, value, *inside, field);
        if (expr_type(field.type) != ExprType::text) mismatch(flow, value, field, "a string");
        return pieces(flow, value);
    }
    if (any_placeholders(value) && field.type == FieldType::tags && value.is(Kind::array)) {
        return list_of_values(flow, value);
    }
    const Converted converted = pg_text(field, value);
    if (!converted.text && !any_placeholders(value)) {
        flow.work.findings.error(
            "BAD_VALUE", value.path, "\"" + field.name + "\" " + converted.problem + ".",
            value_mend(field, value, converted.problem, flow.work.out.app.currency));
    } else if (!converted.text) {
        mismatch(flow, value, field, value.is(Kind::array) ? "a list" : "an object");
    }
    FlowValue out = literal(value);
    out.input = converted.text;
    return out;
}

Template read_template(FlowWork& flow, const Value* value) {
    if (value == nullptr) return {};
    return read_message({value->text, value->path}, flow.scope, flow.work.findings);
}

Template read_said(FlowWork& flow, const contract::Text& text, const std::string& what) {
    if (text.text.empty()) {
        flow.work.findings.error("BAD_MESSAGE", text.path, "The " + what + " is empty.",
                                 "write a text, or remove the key");
    }
    return read_message(text, flow.scope, flow.work.findings);
}

Template read_said(FlowWork& flow, const Value* value, const std::string& what) {
    return read_said(flow, contract::Text{value->text, value->path}, what);
}

FlowValue read_id(FlowWork& flow, const Value* value, std::optional<std::size_t> entity) {
    if (value == nullptr) return {};
    Field field;
    field.name = "id";
    field.type = entity ? FieldType::ref : FieldType::uuid;
    field.ref_entity = entity.value_or(0);
    field.required = true;
    return read_value(flow, *value, field);
}

std::vector<FlowMemberValue> read_members(FlowWork& flow, const Value* object) {
    std::vector<FlowMemberValue> out;
    if (object == nullptr) return out;
    for (const contract::Member& member : object->members) {
        out.push_back({member.name, read_value(flow, member.value)});
    }
    return out;
}

std::vector<FlowMemberValue> read_arguments(FlowWork& flow, const Value& call, const Value* given,
                                            const std::vector<Field>& params,
                                            const std::string& of) {
    static const std::vector<contract::Member> kNone;
    diag::Findings& findings = flow.work.findings;
    std::vector<FlowMemberValue> out;
    for (const contract::Member& member : given == nullptr ? kNone : given->members) {
        const auto param = find_named(params, member.name, &Field::name);
        if (param) {
            out.push_back({member.name, read_value(flow, member.value, params[*param])});
            continue;
        }
        const std::vector<std::string> known = names_of(params, &Field::name);
        findings.missing("UNKNOWN_PARAM", member.name, contract::name_of(member.value.path),
                         of + " has no parameter \"" + member.name + "\".",
                         did_you_mean(member.name, known,
                                      known.empty() ? "it has no parameters"
                                                    : "its parameters are " + joined(known)));
    }
    for (const Field& param : params) {
        const bool sent = given != nullptr && given->find(param.name) != nullptr;
        if (sent || !param.required || param.default_value.kind != Default::Kind::none) continue;
        findings.error("MISSING_KEY", given == nullptr ? call.path : given->path,
                       of + " needs the parameter \"" + param.name + "\".",
                       "add \"" + param.name + "\"");
    }
    return out;
}

}  // namespace svc::model
