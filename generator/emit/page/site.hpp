// Prints the pages of an app as C++ tables.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

// pages.cpp
std::string site_source(const plan::Plan& plan);

}  // namespace svc::emit
