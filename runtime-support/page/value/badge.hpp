// Badges: a dot and a word, whose colour has the same meaning as the word.
#pragma once

#include <string_view>

#include "page/html/html.hpp"

namespace svc::page {

// True for an unwanted state, such as cancelled or rejected. A button that leads there is not a
// primary one.
bool is_bad_end(std::string_view state);
// `is_state`: of a lifecycle. A word of another enum has a colour only where it is known to mean
// something.
void show_badge(Html& out, std::string_view value, std::string_view label, bool is_state = true);

}  // namespace svc::page
