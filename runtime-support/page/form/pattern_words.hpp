// What a pattern asks for, in words for people.
#pragma once

#include <string>
#include <string_view>

namespace svc::page {

// "Use only A to Z, 0 to 9 and -." of ^[A-Z0-9-]+$; empty: the pattern says more than which
// characters a text may have.
std::string pattern_words(std::string_view pattern);

}  // namespace svc::page
