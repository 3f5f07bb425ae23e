// Icons of menus and buttons, as markup: a closed list.
#pragma once

#include <string_view>

namespace svc::page {

// An <svg> that stands for the word beside it and is nothing to a screen reader. A name that is
// none gives a circle.
std::string_view icon(std::string_view name);

}  // namespace svc::page
