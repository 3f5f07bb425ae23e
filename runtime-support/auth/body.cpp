#include "auth/body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace svc::auth {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 8;

// Discarded where the text is no JSON value, or nests deeper than any of these bodies needs.
Json parse(std::string_view body) {
    bool too_deep = false;
    const auto guard = [&too_deep](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return depth <= kMaxDepth;
    };
    Json json = Json::parse(body, guard, false);
    return too_deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace

identity::Result<Texts> read_texts(std::string_view body,
                                   std::initializer_list<std::string_view> wanted) {
    const Json json = parse(body);
    if (!json.is_object())
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    Texts texts;
    for (const std::string_view name : wanted) {
        const auto member = json.find(std::string(name));
        if (member == json.end() || member->is_null()) continue;
        if (!member->is_string())
            return identity::refusal(Code::params_invalid,
                                     "\"" + std::string(name) + "\" must be a text.",
                                     std::string(name));
        const auto& value = member->get_ref<const std::string&>();
        if (value.find('\0') != std::string::npos)  // PostgreSQL keeps no such text
            return identity::refusal(Code::params_invalid,
                                     "\"" + std::string(name) + "\" may not hold U+0000.",
                                     std::string(name));
        texts.emplace(name, value);
    }
    return texts;
}

std::string_view text(const Texts& texts, std::string_view name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace svc::auth
