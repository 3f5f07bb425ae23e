#include "emit/openapi/openapi_values.hpp"

#include <map>
#include <string_view>

#include "emit/openapi/pattern.hpp"

namespace svc::emit {
namespace {

using plan::Facts;

Json of_type(const char* type, const char* format = nullptr) {
    Json out = {{"type", type}};
    if (format != nullptr) out["format"] = format;
    return out;
}

// Schemas by the contract's name of a type.
const std::map<std::string_view, Json>& types() {
    static const Json kUuid = of_type("string", "uuid");
    static const Json kInteger = of_type("integer", "int64");
    static const std::map<std::string_view, Json> kTypes = {
        {"email", of_type("string", "email")},
        {"url", of_type("string", "uri")},
        {"key", Json::object({{"type", Json::array({"string", "integer"})}})},
        {"integer", kInteger},
        {"money", kInteger},
        {"number", of_type("number")},
        {"decimal", of_type("number")},
        {"float", of_type("number", "double")},
        {"boolean", of_type("boolean")},
        {"date", of_type("string", "date")},
        {"time", of_type("string", "time-local")},
        {"datetime", of_type("string", "date-time")},
        {"tags", {{"type", "array"}, {"items", of_type("string")}}},
        {"json", Json::object()},
        {"uuid", kUuid},
        {"ref", kUuid},
        {"user", kUuid},
        {"file", kUuid},
    };
    return kTypes;
}

void put_bound(Json& out, const char* key, const std::optional<std::string>& value) {
    if (!value) return;
    const bool number = out["type"] == "integer" || out["type"] == "number";
    const Json bound =
        number ? Json::parse(*value, nullptr, false) : Json(Json::value_t::discarded);
    if (bound.is_discarded()) {  // of dates and times, or beyond what readers of JSON hold
        out[std::string("x-svc-") + key] = *value;
    } else {
        out[key] = bound;
    }
}

void put_bounds(Json& out, const Facts& facts) {
    if (facts.min_length) out["minLength"] = *facts.min_length;
    if (facts.max_length) out["maxLength"] = *facts.max_length;
    if (facts.pattern) {
        const bool portable = portable_example(*facts.pattern).has_value();
        out[portable ? "pattern" : "x-svc-pattern"] = *facts.pattern;
    }
    put_bound(out, "minimum", facts.min);
    put_bound(out, "maximum", facts.max);
    if (facts.scale) out["x-svc-scale"] = *facts.scale;
}

void put_default(Json& out, const Facts& facts) {
    if (!facts.fallback || facts.kind == "tags") return;
    const bool text = out.contains("type") && out["type"] == "string";
    const Json value = Json::parse(*facts.fallback, nullptr, false);
    if (text || !value.is_discarded()) out["default"] = text ? Json(*facts.fallback) : value;
}

void allow_null(Json& out) {
    if (out.contains("type")) out["type"] = Json::array({out["type"], "null"});
    if (out.contains("enum")) out["enum"].push_back(nullptr);
}

}  // namespace

Json value_schema(const Facts& facts, const std::string& currency, bool sent) {
    const auto known = types().find(facts.kind);
    Json out = known == types().end() ? of_type("string") : known->second;
    if (!facts.values.empty()) out["enum"] = facts.values;
    if (!facts.label.empty()) out["title"] = facts.label;
    if (facts.kind == "money") out["x-svc-currency"] = currency;
    if (!facts.ref.empty()) out["x-svc-ref"] = facts.ref;
    if (sent) {
        put_bounds(out, facts);
        put_default(out, facts);
    }
    if (facts.nullable) allow_null(out);
    return out;
}

Facts result_facts(plan::ColumnType type) {
    Facts facts;
    switch (type) {
        case plan::ColumnType::timestamp:
            facts.kind = "datetime";
            break;
        case plan::ColumnType::floating:
            facts.kind = "float";
            break;
        case plan::ColumnType::money:
        case plan::ColumnType::enumeration:
        case plan::ColumnType::key:
            facts.kind = "text";  // no result has them
            break;
        default:
            facts.kind = base::word(type);
    }
    return facts;
}

}  // namespace svc::emit
