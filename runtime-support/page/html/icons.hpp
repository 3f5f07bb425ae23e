// Icons of menus and buttons, as markup: a closed list.
#pragma once

#include <string_view>

namespace svc::page {

// An <svg> beside a word, hidden from screen readers. An unknown name gives a circle.
std::string_view icon(std::string_view name);

}  // namespace svc::page
