#include <map>

#include "emit/openapi/openapi_values.hpp"
#include "emit/openapi/pattern.hpp"
#include "plan/types.hpp"

namespace svc::emit {
namespace {

using model::FieldType;
using plan::Facts;

constexpr const char* kUuid = "0198b6a0-0000-7000-8000-000000000001";

const std::map<FieldType, Json>& values() {
    static const std::map<FieldType, Json> kValues = {
        {FieldType::email, "ann@example.test"},
        {FieldType::url, "https://example.test"},
        {FieldType::phone, "+33 1 23 45 67 89"},
        {FieldType::slug, "green-tea"},
        {FieldType::integer, 1},
        {FieldType::money, 650},
        {FieldType::number, 1.5},
        {FieldType::decimal, 1.5},
        {FieldType::float_, 1.5},
        {FieldType::boolean, true},
        {FieldType::date, "2026-01-31"},
        {FieldType::time, "09:30:00"},
        {FieldType::datetime, "2026-01-31T09:30:00Z"},
        {FieldType::tags, Json::array({"new"})},
        {FieldType::json, {{"key", "value"}}},
        {FieldType::uuid, kUuid},
        {FieldType::ref, kUuid},
        {FieldType::user, kUuid},
        {FieldType::file, kUuid},
    };
    return kValues;
}

// Bytes count as characters: texts here are the generator's own, or ASCII.
bool fits(const Facts& facts, const std::string& text) {
    return text.size() >= facts.min_length.value_or(0) &&
           (!facts.max_length || text.size() <= *facts.max_length);
}

// The usual value of its type; null for plain texts, enums and keys of other databases.
Json usual_value(const Facts& facts) {
    const auto known = facts.type ? values().find(*facts.type) : values().end();
    return known == values().end() ? Json(nullptr) : known->second;
}

bool is_text(const Facts& facts) {
    return !facts.type || plan::is_text(*facts.type) || usual_value(facts).is_null();
}

Json text_example(const std::string& name, const Facts& facts) {
    const Json usual = usual_value(facts);
    std::string text =
        usual.is_null() ? name.substr(0, facts.max_length.value_or(63)) : usual.get<std::string>();
    if (facts.pattern) text = portable_example(*facts.pattern).value_or("");
    return !text.empty() && fits(facts, text) ? Json(text) : Json(nullptr);
}

// Within its bounds: the lower one, or the upper, where the usual value is not.
Json number_example(const Json& usual, const Facts& facts) {
    const auto bound = [&](const std::optional<std::string>& text) {
        return text ? Json::parse(*text, nullptr, false) : usual;
    };
    Json least = bound(facts.min), most = bound(facts.max);
    if (least.is_discarded() || most.is_discarded()) return nullptr;
    if (usual < least) return least;
    if (most < usual) return most;
    if (facts.scale && *facts.scale == 0 && usual.is_number_float()) return 1;
    return usual;
}

}  // namespace

Json example_of(const std::string& name, const Facts& facts) {
    if (!facts.values.empty()) return facts.values.front();
    if (is_text(facts)) return text_example(name, facts);
    const Json usual = usual_value(facts);
    if (usual.is_number()) return number_example(usual, facts);
    if (facts.min) return *facts.min;  // of dates and times
    return facts.max ? Json(*facts.max) : usual;
}

}  // namespace svc::emit
