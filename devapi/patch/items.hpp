// The lists of a contract (entities, queries, pages, …) and their items, as text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::patch {

// A list under a member of an object. One member of each item identifies it.
struct List {
    std::string_view member;  // "entities"
    std::string_view key;     // "name"
    std::string_view what;    // "entity"
};

constexpr List kEntities{"entities", "name", "entity"};
constexpr List kFields{"fields", "name", "field"};

// None if there is no such item. Throws EditError where the member holds no list.
std::optional<std::size_t> find_item(std::string_view object, const List& list,
                                     std::string_view name);
std::vector<std::string> item_names(std::string_view object, const List& list);
// Throws EditError, with `member` as the one at fault, if there is no such item.
std::size_t need_item(std::string_view object, const List& list, std::string_view name,
                      std::string_view member);
std::string_view item_at(std::string_view object, const List& list, std::size_t index);

std::string with_item(std::string_view object, const List& list, std::size_t index,
                      std::string_view item);
// The list is made if it is missing.
std::string with_new_item(std::string_view object, const List& list, std::string_view item);
std::string without_item(std::string_view object, const List& list, std::size_t index);

// Replaces members of `object` by those of `changes`; null removes a member.
std::string merged(std::string_view object, std::string_view changes);

}  // namespace svc::devapi::patch
