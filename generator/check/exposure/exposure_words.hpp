// Changes of exposure in plain words.
#pragma once

#include <string>

#include "check/exposure/exposure_diff.hpp"

namespace svc::check {

// "customer may now read all rows of order (before: rows where user_id == user.id)." `who` may be
// several callers in one phrase.
std::string sentence(const ExposureChange& change, const std::string& who);

}  // namespace svc::check
