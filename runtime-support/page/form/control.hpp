// What the controls of a form have in common.
#pragma once

#include "page/form/form.hpp"

namespace svc::page {

std::string id_of(const Input& input);
// Writes the attributes that every control has.
void write_common(Html& out, const Input& input);
// A choice among options; of an input that may be left out, or has no value yet, with an empty one.
void write_select(Html& out, const Input& input);

// A reference to one of many rows: a box for words, and a choice among the rows that they find.
void write_finder(Html& out, const Input& input);

}  // namespace svc::page
