// The style sheet of pages.
#pragma once

#include <string>

#include "svc/page.hpp"

namespace svc::page {

std::string stylesheet(const Site& site);

}  // namespace svc::page
