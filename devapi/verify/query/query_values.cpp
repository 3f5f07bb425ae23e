#include "verify/query/query_values.hpp"

#include "plan/names.hpp"
#include "verify/verify_caller.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

std::string literal_of(const json& value) {
    if (value.is_array()) return "'{a}'";
    return plan::literal(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

nlohmann::json sensible_value(const model::Field& field) {
    using model::FieldType;
    switch (field.type) {
        case FieldType::integer:
        case FieldType::number:
        case FieldType::decimal:
        case FieldType::float_:
        case FieldType::money:
            return 1;
        case FieldType::boolean:
            return true;
        case FieldType::date:
            return "2026-01-31";
        case FieldType::time:
            return "12:00:00";
        case FieldType::datetime:
            return "2026-01-31T12:00:00Z";
        case FieldType::enum_:
            return field.values.empty() ? "a" : field.values[0];
        case FieldType::tags:
            return json::array({"a"});
        case FieldType::json:
            return json::object();
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return kOrgs[0];
        case FieldType::email:
            return "a@verify.invalid";
        case FieldType::url:
            return "https://verify.invalid/";
        case FieldType::phone:
            return "+33100000000";
        default:
            return "a";
    }
}

std::string body_of(const model::Query& query) {
    json params = json::object();
    for (const auto& param : query.params) params[param.name] = sensible_value(param);
    return json({{"params", params}}).dump();
}

std::string arguments_of(const model::Query& query, const plan::Query& planned) {
    std::string out;
    for (std::size_t i = 0; i < query.params.size(); ++i)
        out += (i == 0 ? "" : ", ") + literal_of(sensible_value(query.params[i])) +
               "::" + planned.params[i].sql_type;
    return out;
}

}  // namespace svc::devapi::verification
