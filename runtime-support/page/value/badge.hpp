// Badges: a dot and a word, whose colour has the same meaning as the word.
#pragma once

#include <string_view>

#include "page/html/html.hpp"

namespace svc::page {

// True for an unwanted state, such as cancelled or rejected. A button that leads there is not a
// primary one.
bool is_bad_end(std::string_view state);
// `leads_on`: a state of a lifecycle that is not its end. Another word has a colour only where it
// is known to mean something.
void show_badge(Html& out, std::string_view value, std::string_view label, bool leads_on);

}  // namespace svc::page
