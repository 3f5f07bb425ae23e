// JSON as its author wrote it: members by their exact bytes, so that neither order nor digits
// change.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::devapi {

using JsonMember = std::pair<std::string, std::string_view>;  // name decoded, value as written

// Of the object that `text`, which must be valid JSON, is. A name that stands twice counts by its
// last value. Empty where it is no object.
std::vector<JsonMember> json_members(std::string_view text);
std::optional<std::string_view> json_member(std::string_view text, std::string_view name);

// Of the array that `text` is, as written. Empty where it is none.
std::vector<std::string_view> json_items(std::string_view text);

// The object with this member's value replaced, or with the member added at its end.
std::string with_member(std::string_view text, std::string_view name, std::string_view value);

}  // namespace svc::devapi
