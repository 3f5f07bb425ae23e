// How values of a column are put in order.
#pragma once

#include <string_view>

#include "svc/entity.hpp"

namespace svc::data::list {

// SQL: operators with their blanks, and what stands behind a key of `order by`.
struct Ordering {
    std::string_view less, at_most, greater, at_least;
    std::string_view ascending, descending;
    std::string_view collation;  // behind the argument of min and max
};

// Of rows that another database keeps, texts are ordered byte by byte: it may collate them
// otherwise than this one does, and either of the two may be asked to sort or to compare.
const Ordering& ordering_of(const Entity& entity, const Column& column);

// What is compared as its type is.
extern const Ordering kOwnOrdering;

}  // namespace svc::data::list
