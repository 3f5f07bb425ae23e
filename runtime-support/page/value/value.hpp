// Values of a row as markup.
#pragma once

#include <string>
#include <vector>

#include "page/visit.hpp"

namespace svc::page {

inline constexpr std::size_t kLongestName = 200;  // characters of a row's name that are shown
inline constexpr std::size_t kCell = 120;         // characters of a text in a cell

enum class Room { cell, whole };  // of a table; as much as it needs

void show_value(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
                const Json& row, Room room = Room::cell);
// A value of an enum, as a badge: the same wherever it is shown.
void show_choice(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
                 std::string_view value);
// A value of a query's column, of which the type alone is known.
void show_plain(Html& out, const Json* value);
// The value as plain text: for a card's heading, an axis, a title.
std::string value_words(const Visit& visit, const Entity& entity, std::size_t column,
                        const Json* value);

// True if tables align it to the right.
bool is_number(FieldKind kind);

// The member of a row that holds the row behind the ref in a column, and the `select` that asks for
// it. `most` is how many links one statement may follow.
std::string ref_member(std::size_t column);
std::string selection(const Visit& visit, const Entity& entity,
                      const std::vector<std::size_t>& columns);

}  // namespace svc::page
