#include "auth/body.hpp"

#include "json/value.hpp"

namespace svc::auth {
namespace {

identity::Refusal wrong(std::string_view member, std::string_view what) {
    std::string message = "\"" + std::string(member) + "\" ";
    message += what;
    return identity::refusal(Code::params_invalid, std::move(message), std::string(member));
}

}  // namespace

identity::Result<Texts> read_texts(std::string_view body,
                                   std::initializer_list<std::string_view> wanted) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object))
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    Texts texts;
    for (const std::string_view name : wanted) {
        const json::Value* member = parsed.value.find(name);
        if (!member || member->is(json::Value::Kind::null)) continue;
        if (!member->is(json::Value::Kind::string)) return wrong(name, "must be a text.");
        if (member->text.find('\0') != std::string::npos)  // PostgreSQL keeps no such text
            return wrong(name, "may not hold U+0000.");
        texts.emplace(name, member->text);
    }
    return texts;
}

std::string_view text(const Texts& texts, std::string_view name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace svc::auth
