#include "verify/flow/flow_shape.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using Shape = model::FlowType::Kind;

const char* word_for(const json& value) {
    switch (value.type()) {
        case json::value_t::boolean:
            return "a boolean";
        case json::value_t::number_integer:
        case json::value_t::number_unsigned:
            return "a whole number";
        case json::value_t::number_float:
            return "a number";
        case json::value_t::string:
            return "a text";
        case json::value_t::array:
            return "a list";
        case json::value_t::object:
            return "an object";
        default:
            return "nothing";
    }
}

// The JSON type; null: any.
const char* word_for(model::ExprType type) {
    using model::ExprType;
    switch (type) {
        case ExprType::boolean:
            return "a boolean";
        case ExprType::integer:
            return "a whole number";
        case ExprType::decimal:
            return "a number";
        case ExprType::text:
        case ExprType::date:
        case ExprType::time:
        case ExprType::timestamp:
        case ExprType::uuid:
        case ExprType::duration:
            return "a text";
        case ExprType::tags:
        case ExprType::list:
        case ExprType::rows:
            return "a list";
        case ExprType::json:
        case ExprType::null:
            break;
    }
    return nullptr;
}

std::string is_not(const std::string& place, const json& value, const std::string& wanted) {
    return place + " is " + word_for(value) + " and not " + wanted;
}

std::string misshapen_scalar(model::ExprType type, const json& value, const std::string& place) {
    const char* wanted = word_for(type);
    const bool fits = !wanted || std::string(wanted) == word_for(value) ||
                      (type == model::ExprType::decimal && value.is_number());
    return fits ? "" : is_not(place, value, wanted);
}

std::string misshapen_object(const model::FlowType& type, const json& value,
                             const std::string& place) {
    if (!value.is_object()) return is_not(place, value, "an object");
    for (const auto& [name, inner] : value.items())
        if (!type.find(name)) return place + " has " + name + ", which the contract does not name";
    for (const model::FlowMember& member : type.members) {
        if (!value.contains(member.name)) return place + " has no " + member.name;
        std::string wrong = misshapen(member.type, value[member.name], place + "." + member.name);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace

std::string misshapen(const model::FlowType& type, const json& value, const std::string& place) {
    if (value.is_null()) return {};
    switch (type.kind) {
        case Shape::scalar:
            return misshapen_scalar(type.type, value, place);
        case Shape::row:
            return value.is_object() && value.contains("id") ? "" : is_not(place, value, "a row");
        case Shape::object:
            return misshapen_object(type, value, place);
        case Shape::list:
            break;
    }
    if (!value.is_array()) return is_not(place, value, "a list");
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string at = place + "[" + std::to_string(i) + "]";
        std::string wrong = misshapen(type.element.front(), value[i], at);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace svc::devapi::verification
