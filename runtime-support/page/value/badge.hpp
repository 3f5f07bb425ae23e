// Badges: a dot and a word, whose colour says what the word says.
#pragma once

#include <string_view>

#include "page/html/html.hpp"

namespace svc::page {

// A state that nobody hopes for: cancelled, rejected. What leads there is no primary button.
bool is_bad_end(std::string_view state);
// `leads_on`: a state of a lifecycle that is not its end. Another word has a colour only where it
// is known to mean something.
void show_badge(Html& out, std::string_view value, std::string_view label, bool leads_on);

}  // namespace svc::page
