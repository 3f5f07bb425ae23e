#include "auth/body.hpp"

#include "json/value.hpp"

namespace svc::auth {
namespace {

using Kind = json::Value::Kind;

identity::Refusal wrong(std::string_view member, std::string_view what) {
    std::string message = "\"" + std::string(member) + "\" ";
    message += what;
    return identity::refusal(Code::params_invalid, std::move(message), std::string(member));
}

// Null counts as absent.
const json::Value* member_of(const json::Value& object, std::string_view name) {
    const json::Value* member = object.find(name);
    return member && !member->is(Kind::null) ? member : nullptr;
}

}  // namespace

identity::Result<Members> read_members(std::string_view body,
                                       std::initializer_list<std::string_view> texts,
                                       std::initializer_list<std::string_view> flags) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty() || !parsed.value.is(Kind::object))
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    Members out;
    for (const std::string_view name : texts) {
        const json::Value* member = member_of(parsed.value, name);
        if (!member) continue;
        if (!member->is(Kind::string)) return wrong(name, "must be a string.");
        if (member->text.find('\0') != std::string::npos)  // PostgreSQL keeps no such text
            return wrong(name, "may not contain the character U+0000.");
        out.texts.emplace(name, member->text);
    }
    for (const std::string_view name : flags) {
        const json::Value* member = member_of(parsed.value, name);
        if (!member) continue;
        if (!member->is(Kind::boolean)) return wrong(name, "must be true or false.");
        out.flags.emplace(name, member->text == "true");
    }
    return out;
}

identity::Result<Texts> read_texts(std::string_view body,
                                   std::initializer_list<std::string_view> wanted) {
    auto members = read_members(body, wanted, {});
    if (!members) return members.error();
    return std::move(members->texts);
}

std::optional<bool> Members::flag(std::string_view name) const {
    const auto found = flags.find(name);
    if (found == flags.end()) return std::nullopt;
    return found->second;
}

std::string_view text(const Texts& texts, std::string_view name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace svc::auth
