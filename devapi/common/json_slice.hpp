// Reads members of JSON by their exact bytes, so that neither order nor digits change.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::devapi {

using JsonMember = std::pair<std::string, std::string_view>;  // name decoded, value as written

// The members of the object `text`, which must be valid JSON. If a name occurs twice, the last
// value counts. Empty if `text` is not an object.
std::vector<JsonMember> json_members(std::string_view text);
std::optional<std::string_view> json_member(std::string_view text, std::string_view name);

// The elements of the array `text`, which must be valid JSON. Empty if `text` is not an array.
std::vector<std::string_view> json_elements(std::string_view text);

// True if brackets are nested more than `levels` deep. Takes any text, in one pass and without
// recursion: the functions that copy a JSON tree recurse.
bool json_deeper_than(std::string_view text, int levels);

// The functions below change such a text. Unchanged parts keep their layout; an added part gets the
// layout of the part before it.

// The object with this member's value replaced, or with the member added at its end.
std::string with_member(std::string_view text, std::string_view name, std::string_view value);
// The object without the member: as it is if there is none.
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
