// The order of the values of a column.
#pragma once

#include <string_view>

#include "svc/entity.hpp"

namespace svc::data {

// SQL: the operators with their spaces, and the text after a key of `order by`.
struct Ordering {
    std::string_view less, at_most, greater, at_least;
    std::string_view ascending, descending;
    std::string_view collation;  // after the argument of min and max
};

// Texts of rows in another database are ordered byte by byte: the two databases may have different
// collations, and either of them may sort or compare.
const Ordering& ordering_of(const Entity& entity, const Column& column);

// The usual order of the column's type.
extern const Ordering kOwnOrdering;

}  // namespace svc::data
