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

// Elements of the array that `text`, which must be valid JSON, is. Empty where it is no array.
std::vector<std::string_view> json_elements(std::string_view text);

// True where brackets stand in one another more than `levels` deep. Any text, in one pass and
// without recursion: what copies a tree of JSON recurses.
bool json_deeper_than(std::string_view text, int levels);

// Changes of such a text. What is not changed keeps its layout; what is added is laid out as what
// stands before it.

// The object with this member's value replaced, or with the member added at its end.
std::string with_member(std::string_view text, std::string_view name, std::string_view value);
// The object without the member: as it is where there is none.
std::string without_member(std::string_view text, std::string_view name);
// The object with the member under another name, at its old place.
std::string with_renamed_member(std::string_view text, std::string_view name,
                                std::string_view new_name);
// The array with the element at `index`, which is there, replaced; with one more at its end; and
// without one.
std::string with_element(std::string_view text, std::size_t index, std::string_view value);
std::string with_appended(std::string_view text, std::string_view value);
std::string without_element(std::string_view text, std::size_t index);

}  // namespace svc::devapi
