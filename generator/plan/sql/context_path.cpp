#include "plan/sql/context_path.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprType;
using model::FieldType;
using model::Root;
using model::Step;

// The name as an element of an array's text: {new,"Order Id"}.
std::string key_element(const std::string& name) {
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return base::is_alphanumeric(c) || c == '_';
    });
    if (plain && base::lower(name) != "null") return name;
    std::string out = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string root_keys(const Expr& path) {
    switch (path.root) {
        case Root::new_:
            return "new";
        case Root::old_:
            return "old";
        case Root::input:
            return "input";
        case Root::step:
            return "steps," + key_element(path.text);
        case Root::local:
            return "local," + key_element(path.text);
        case Root::user:
            return "actor," + key_element(std::string(base::word(path.attribute)));
        case Root::row:
        case Root::part:
            break;
    }
    return {};
}

const std::string& step_name(const Step& step, const Scope& scope) {
    if (!step.builtin.empty()) return step.builtin;
    return scope.model.entities[step.entity].fields[step.field].name;
}

// '{new,title}'
std::string keys_of(const Expr& path, std::size_t steps, const Scope& scope) {
    std::string out = root_keys(path);
    for (std::size_t i = 0; i < steps; ++i)
        out += "," + key_element(step_name(path.steps[i], scope));
    return literal("{" + out + "}");
}

// The function that reads JSON as that type; it gives null for a value of another type.
const char* reader(ExprType type) {
    switch (type) {
        case ExprType::boolean:
            return "svc.flow_boolean";
        case ExprType::integer:
            return "svc.flow_integer";
        case ExprType::decimal:
            return "svc.flow_decimal";
        case ExprType::text:
            return "svc.flow_text";
        case ExprType::date:
            return "svc.flow_date";
        case ExprType::time:
            return "svc.flow_time";
        case ExprType::timestamp:
            return "svc.flow_timestamp";
        case ExprType::uuid:
            return "svc.flow_uuid";
        case ExprType::tags:
            return "svc.flow_tags";
        case ExprType::duration:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            break;
    }
    return nullptr;
}

// The cast of a text that PostgreSQL itself wrote into a row, or that was checked on input.
const char* cast_of(ExprType type) {
    switch (type) {
        case ExprType::boolean:
            return "::boolean";
        case ExprType::integer:
            return "::bigint";
        case ExprType::decimal:
            return "::numeric";
        case ExprType::date:
            return "::date";
        case ExprType::time:
            return "::time";
        case ExprType::timestamp:
            return "::timestamptz";
        case ExprType::uuid:
            return "::uuid";
        default:
            return "";
    }
}

bool is_json(ExprType type) {
    return type == ExprType::json || type == ExprType::list || type == ExprType::rows ||
           type == ExprType::null || type == ExprType::duration;
}

bool is_column(const Expr& path) {
    return !path.steps.empty() && path.steps.back().kind == Step::Kind::field;
}

bool is_float_column(const Expr& path, const Scope& scope) {
    if (!is_column(path) || !path.steps.back().builtin.empty()) return false;
    const Step& last = path.steps.back();
    return scope.model.entities[last.entity].fields[last.field].type == FieldType::float_;
}

// Moments of a row have their offset; of what a caller sent, they may lack it.
bool is_read_softly(const Expr& path) {
    const bool of_day = path.type == ExprType::time || path.type == ExprType::timestamp;
    return path.taken || path.type == ExprType::tags || (of_day && !is_column(path));
}

// "($1 #>> '{input,pieces}')::bigint", or without a cast, and nothing around it.
bool reads_context(const std::string& value) {
    if (!value.starts_with("($1 #>> '")) return false;
    const std::size_t end = value.find("')");
    return end != std::string::npos &&
           value.find_first_not_of("abcdefghijklmnopqrstuvwxyz:", end + 2) == std::string::npos;
}

std::string actor_value(const Expr& path) {
    const std::string text = "($1 #>> '{" + root_keys(path) + "}')";
    if (path.attribute == model::CallerAttribute::is_admin)
        return "coalesce(" + text + "::boolean, false)";
    return path.type == ExprType::uuid ? text + "::uuid" : text;
}

}  // namespace

std::size_t steps_within_context(const Expr& path) {
    const auto leaves = [](const Step& step) {
        return step.kind == Step::Kind::ref || step.kind == Step::Kind::many;
    };
    return static_cast<std::size_t>(std::find_if(path.steps.begin(), path.steps.end(), leaves) -
                                    path.steps.begin());
}

bool leaves_context(const Expr& path) { return steps_within_context(path) < path.steps.size(); }

std::string id_in_context(const Expr& path, std::size_t steps, const std::string& column,
                          const Scope& scope) {
    std::string keys = keys_of(path, steps, scope);
    keys.insert(keys.size() - 2, "," + key_element(column));
    return "($1 #>> " + keys + ")::uuid";
}

std::string member_in_context(const Expr& root, const std::string& member) {
    return "($1 #>> " + literal("{" + root_keys(root) + "," + key_element(member) + "}") + ")";
}

std::string context_value(const Expr& path, const Scope& scope) {
    if (path.root == Root::user) return actor_value(path);
    const std::string keys = keys_of(path, path.steps.size(), scope);
    if (is_json(path.type)) return "nullif($1 #> " + keys + ", 'null')";
    if (is_read_softly(path)) return std::string(reader(path.type)) + "($1 #> " + keys + ")";
    const char* exact = is_float_column(path, scope) ? "::double precision::numeric" : "";
    return "($1 #>> " + keys + ")" + (*exact == '\0' ? cast_of(path.type) : exact);
}

std::string member_value(const Expr& path, std::size_t first, const std::string& column) {
    if (first == path.steps.size()) return column;
    std::string keys;
    for (std::size_t i = first; i < path.steps.size(); ++i)
        keys += (keys.empty() ? "" : ",") + key_element(path.steps[i].builtin);
    const std::string member = column + " #> " + literal("{" + keys + "}");
    if (is_json(path.type)) return "nullif(" + member + ", 'null')";
    return std::string(reader(path.type)) + "(" + member + ")";
}

std::string cast_to(const std::string& value, const std::string& type) {
    if (!reads_context(value)) return "(" + value + ")::" + type;
    const std::string cast = "::" + type;
    const bool is_text = value.back() == ')';
    const bool has_it = is_text ? type == "text" : value.ends_with(cast);
    return has_it ? value : value + cast;
}

}  // namespace svc::plan
