#include "emit/openapi/openapi_values.hpp"

#include <map>

#include "emit/openapi/pattern.hpp"

namespace svc::emit {
namespace {

using model::FieldType;
using plan::Facts;

Json of_type(const char* type, const char* format = nullptr) {
    Json out = {{"type", type}};
    if (format != nullptr) out["format"] = format;
    return out;
}

// Schemas of types that are no plain texts.
const std::map<FieldType, Json>& types() {
    static const Json kUuid = of_type("string", "uuid");
    static const Json kInteger = of_type("integer", "int64");
    static const std::map<FieldType, Json> kTypes = {
        {FieldType::email, of_type("string", "email")},
        {FieldType::url, of_type("string", "uri")},
        {FieldType::integer, kInteger},
        {FieldType::money, kInteger},
        {FieldType::number, of_type("number")},
        {FieldType::decimal, of_type("number")},
        {FieldType::float_, of_type("number", "double")},
        {FieldType::boolean, of_type("boolean")},
        {FieldType::date, of_type("string", "date")},
        {FieldType::time, of_type("string", "time-local")},
        {FieldType::datetime, of_type("string", "date-time")},
        {FieldType::tags, {{"type", "array"}, {"items", of_type("string")}}},
        {FieldType::json, Json::object()},
        {FieldType::uuid, kUuid},
        {FieldType::ref, kUuid},
        {FieldType::user, kUuid},
        {FieldType::file, kUuid},
    };
    return kTypes;
}

Json type_schema(std::optional<FieldType> type) {
    if (!type) return {{"type", Json::array({"string", "integer"})}};
    const auto known = types().find(*type);
    return known == types().end() ? of_type("string") : known->second;
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
    if (!facts.fallback || facts.type == FieldType::tags) return;
    const bool text = out.contains("type") && out["type"] == "string";
    const Json value = Json::parse(*facts.fallback, nullptr, false);
    if (text || !value.is_discarded()) out["default"] = text ? Json(*facts.fallback) : value;
}

// The type of a contract that a result's column is shown as.
FieldType result_field_type(plan::ColumnType type) {
    using plan::ColumnType;
    switch (type) {
        case ColumnType::integer:
            return FieldType::integer;
        case ColumnType::decimal:
            return FieldType::decimal;
        case ColumnType::floating:
            return FieldType::float_;
        case ColumnType::boolean:
            return FieldType::boolean;
        case ColumnType::date:
            return FieldType::date;
        case ColumnType::time:
            return FieldType::time;
        case ColumnType::timestamp:
            return FieldType::datetime;
        case ColumnType::tags:
            return FieldType::tags;
        case ColumnType::json:
            return FieldType::json;
        case ColumnType::uuid:
            return FieldType::uuid;
        case ColumnType::text:
        case ColumnType::money:
        case ColumnType::enumeration:
        case ColumnType::key:
            break;  // no result has the last three
    }
    return FieldType::text;
}

void allow_null(Json& out) {
    if (out.contains("type")) out["type"] = Json::array({out["type"], "null"});
    if (out.contains("enum")) out["enum"].push_back(nullptr);
}

}  // namespace

Json value_schema(const Facts& facts, const std::string& currency, bool sent) {
    Json out = type_schema(facts.type);
    if (!facts.values.empty()) out["enum"] = facts.values;
    if (!facts.label.empty()) out["title"] = facts.label;
    if (facts.type == FieldType::money) out["x-svc-currency"] = currency;
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
    facts.type = result_field_type(type);
    return facts;
}

}  // namespace svc::emit
