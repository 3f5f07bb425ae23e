#include "emit/data/client_types.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/ascii.hpp"
#include "emit/json_page.hpp"

namespace svc::emit::typescript {
namespace {

using model::FieldType;
using plan::Facts;
using plan::Plan;

struct Word {
    std::string_view type;  // of types.ts, or TypeScript's own
    std::string_view kind;  // the family of types.ts
};

// The word for a type of the contract; other types are texts. Without a type it is a key of another
// database.
Word word_of(std::optional<FieldType> type) {
    static const std::map<FieldType, Word> kWords = {
        {FieldType::integer, {"number", "number"}},
        {FieldType::money, {"svc.Money", "number"}},
        {FieldType::number, {"number", "number"}},
        {FieldType::decimal, {"number", "number"}},
        {FieldType::float_, {"number", "number"}},
        {FieldType::boolean, {"boolean", "boolean"}},
        {FieldType::date, {"svc.Day", "day"}},
        {FieldType::time, {"svc.Time", "time"}},
        {FieldType::datetime, {"svc.Moment", "moment"}},
        {FieldType::tags, {"string[]", "tags"}},
        {FieldType::json, {"svc.Json", "json"}},
        {FieldType::uuid, {"svc.Uuid", "id"}},
        {FieldType::ref, {"svc.Uuid", "id"}},
        {FieldType::user, {"svc.Uuid", "id"}},
        {FieldType::file, {"svc.Uuid", "id"}},
    };
    if (!type) return {"svc.Key", "id"};
    const auto at = kWords.find(*type);
    return at == kWords.end() ? Word{"string", "text"} : at->second;
}

// Null if a step gave nothing.
std::string object_type(const Plan& plan, const std::vector<model::FlowMember>& members) {
    std::string out;
    for (const model::FlowMember& member : members) {
        out += (out.empty() ? "" : "; ") + key_of(member.name) + ": " +
               script_type(plan, member.type) + (member.type.open() ? "" : " | null");
    }
    return "{ " + out + " }";
}

std::string scalar_type(model::ExprType type) {
    using model::ExprType;
    switch (type) {
        case ExprType::boolean:
            return "boolean";
        case ExprType::integer:
        case ExprType::decimal:
            return "number";
        case ExprType::date:
            return "svc.Day";
        case ExprType::time:
            return "svc.Time";
        case ExprType::timestamp:
            return "svc.Moment";
        case ExprType::uuid:
            return "svc.Uuid";
        case ExprType::tags:
            return "string[]";
        case ExprType::text:
        case ExprType::duration:
            return "string";
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            break;
    }
    return "svc.Json";
}

}  // namespace

std::string_view family_of(const Facts& facts) { return word_of(facts.type).kind; }

std::string one_of(const std::vector<std::string>& values) {
    std::string out;
    for (const std::string& value : values) out += (out.empty() ? "" : " | ") + Json(value).dump();
    return out.empty() ? "never" : out;
}

std::string type_of(const Facts& facts, bool nullable) {
    const std::string type =
        facts.values.empty() ? std::string(word_of(facts.type).type) : one_of(facts.values);
    return type + (nullable ? " | null" : "");
}

std::string braced(const std::vector<std::string>& members, std::size_t indent) {
    if (members.empty()) return "{}";
    std::string out = "{\n";
    for (const std::string& member : members) out += std::string(indent + 2, ' ') + member + ";\n";
    return out + std::string(indent, ' ') + "}";
}

std::string key_of(const std::string& name) {
    const bool plain =
        !name.empty() && !base::is_digit(name.front()) &&
        std::ranges::all_of(name, [](char c) { return base::is_alphanumeric(c) || c == '_'; });
    return plain ? name : Json(name).dump();
}

std::string script_type(const Plan& plan, const model::FlowType& type) {
    switch (type.kind) {
        case model::FlowType::Kind::row:
            return plan.entities[type.entity].cpp_name;
        case model::FlowType::Kind::object:
            return object_type(plan, type.members);
        case model::FlowType::Kind::list:
            return "Array<" + script_type(plan, type.element.front()) + ">";
        case model::FlowType::Kind::scalar:
            break;
    }
    return scalar_type(type.type);
}

}  // namespace svc::emit::typescript
