#include "patch/edit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "common/json_slice.hpp"
#include "diag/finding.hpp"

namespace svc::devapi::patch {

Edit::Edit(std::string_view text) : text_(text) {
    if (!text.starts_with('{')) throw EditError("", "An edit must be an object: {\"op\": …}.");
}

std::string_view Edit::value(std::string_view member) const {
    const auto found = json_member(text_, member);
    if (!found) throw EditError(std::string(member), "Is required.");
    return *found;
}

std::optional<std::string> Edit::optional_text(std::string_view member) const {
    const auto found = json_member(text_, member);
    if (!found || *found == "null") return std::nullopt;
    return text(member);
}

std::string Edit::text(std::string_view member) const {
    auto text = text_of(value(member));
    if (!text) throw EditError(std::string(member), "Must be a string.");
    return std::move(*text);
}

std::string Edit::name(std::string_view member) const {
    std::string name = text(member);
    if (name.empty()) throw EditError(std::string(member), "Must not be empty.");
    return name;
}

std::string_view Edit::object(std::string_view member) const {
    const std::string_view found = value(member);
    if (!found.starts_with('{')) throw EditError(std::string(member), "Must be an object.");
    return found;
}

void Edit::only(const std::vector<std::string_view>& members) const {
    for (const auto& [name, value] : json_members(text_)) {
        if (name == "op" || std::find(members.begin(), members.end(), name) != members.end())
            continue;
        const std::string near = diag::nearest(name, {members.begin(), members.end()});
        throw EditError(name, "This operation does not have this member." +
                                  (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
    }
}

std::optional<std::string> text_of(std::string_view json) {
    if (!json.starts_with('"')) return std::nullopt;
    return nlohmann::json::parse(json).get<std::string>();
}

std::optional<std::string> text_member(std::string_view object, std::string_view member) {
    const auto found = json_member(object, member);
    return found ? text_of(*found) : std::nullopt;
}

std::string json_text(std::string_view text) { return base::json_string(text); }

}  // namespace svc::devapi::patch
