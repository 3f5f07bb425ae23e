// Random conditions in the contract's own language, over the entity `thing`.
#pragma once

#include <string>
#include <vector>

#include "dice.hpp"

namespace svc::differential {

// A written expression and its parts. `text` names fields of the row after the mark kRow.
struct Written {
    std::string text;
    bool condition = false;
    std::vector<Written> parts;
};

inline constexpr char kRow = '\x01';
// The text with fields named as they are in access ("") or in rules ("new.").
std::string with_rows(const std::string& text, const std::string& prefix);

// The parts that may occur.
struct Reach {
    bool walks = false;  // other rows
    bool rule = false;   // old. and new. and changed()
};

// Some of them do not type-check, such as a comparison of an enum with a text that is none of its
// values: the caller tries again.
Written random_condition(Dice& dice, const Reach& reach);

}  // namespace svc::differential
