// What the cards of a board and the forms that move them agree about.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// True if the columns of the board are the states of a lifecycle. Cards then move by transitions.
bool is_lifecycle(const Block& block);
// True if a card may go to the column of rows without a value. A field with a default is taken to
// have a value always.
bool may_be_none(const Column& column, const Field& field);

}  // namespace svc::page
