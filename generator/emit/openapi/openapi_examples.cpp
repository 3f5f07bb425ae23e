#include <map>
#include <string_view>

#include "emit/openapi/openapi_values.hpp"
#include "emit/openapi/pattern.hpp"

namespace svc::emit {
namespace {

using plan::Facts;

constexpr const char* kUuid = "0198b6a0-0000-7000-8000-000000000001";

const std::map<std::string_view, Json>& values() {
    static const std::map<std::string_view, Json> kValues = {
        {"email", "ann@example.test"},
        {"url", "https://example.test"},
        {"phone", "+33 1 23 45 67 89"},
        {"slug", "green-tea"},
        {"integer", 1},
        {"money", 650},
        {"number", 1.5},
        {"decimal", 1.5},
        {"float", 1.5},
        {"boolean", true},
        {"date", "2026-01-31"},
        {"time", "09:30:00"},
        {"datetime", "2026-01-31T09:30:00Z"},
        {"tags", Json::array({"new"})},
        {"json", {{"key", "value"}}},
        {"uuid", kUuid},
        {"ref", kUuid},
        {"user", kUuid},
        {"file", kUuid},
    };
    return kValues;
}

// Bytes count as characters: texts here are the generator's own, or ASCII.
bool fits(const Facts& facts, const std::string& text) {
    return text.size() >= facts.min_length.value_or(0) &&
           (!facts.max_length || text.size() <= *facts.max_length);
}

Json text_example(const std::string& name, const Facts& facts) {
    const auto known = values().find(facts.kind);
    std::string text = known != values().end() ? known->second.get<std::string>()
                                               : name.substr(0, facts.max_length.value_or(63));
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
    const auto known = values().find(facts.kind);
    const bool text = known == values().end() || facts.kind == "email" || facts.kind == "url" ||
                      facts.kind == "phone" || facts.kind == "slug";
    if (text) return text_example(name, facts);
    if (known->second.is_number()) return number_example(known->second, facts);
    if (facts.min) return *facts.min;  // of dates and times
    return facts.max ? Json(*facts.max) : known->second;
}

}  // namespace svc::emit
