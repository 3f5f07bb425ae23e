#include "patch/items.hpp"

#include "common/json_slice.hpp"
#include "diag/finding.hpp"
#include "patch/edit.hpp"

namespace svc::devapi::patch {
namespace {

// "[]" if there is none.
std::string_view list_text(std::string_view object, const List& list) {
    const auto found = json_member(object, list.member);
    if (!found) return "[]";
    if (!found->starts_with('['))
        throw EditError("", "\"" + std::string(list.member) + "\" of the contract is not a list.");
    return *found;
}

}  // namespace

std::optional<std::size_t> find_item(std::string_view object, const List& list,
                                     std::string_view name) {
    const auto items = json_elements(list_text(object, list));
    for (std::size_t i = 0; i < items.size(); ++i)
        if (text_member(items[i], list.key) == name) return i;
    return std::nullopt;
}

std::vector<std::string> item_names(std::string_view object, const List& list) {
    std::vector<std::string> out;
    for (const std::string_view item : json_elements(list_text(object, list)))
        if (auto name = text_member(item, list.key)) out.push_back(std::move(*name));
    return out;
}

std::size_t need_item(std::string_view object, const List& list, std::string_view name,
                      std::string_view member) {
    if (const auto found = find_item(object, list, name)) return *found;
    const std::string near = diag::nearest(std::string(name), item_names(object, list));
    throw EditError(std::string(member),
                    "There is no " + std::string(list.what) + " \"" + std::string(name) + "\"." +
                        (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
}

std::string_view item_at(std::string_view object, const List& list, std::size_t index) {
    return json_elements(list_text(object, list)).at(index);
}

std::string with_item(std::string_view object, const List& list, std::size_t index,
                      std::string_view item) {
    return with_member(object, list.member, with_element(list_text(object, list), index, item));
}

std::string with_new_item(std::string_view object, const List& list, std::string_view item) {
    return with_member(object, list.member, with_appended(list_text(object, list), item));
}

std::string without_item(std::string_view object, const List& list, std::size_t index) {
    return with_member(object, list.member, without_element(list_text(object, list), index));
}

std::string merged(std::string_view object, std::string_view changes) {
    std::string out(object);
    for (const auto& [name, value] : json_members(changes))
        out = value == "null" ? without_member(out, name) : with_member(out, name, value);
    return out;
}

}  // namespace svc::devapi::patch
