// Icons that a menu entry may name.
#pragma once

#include <string>
#include <vector>

namespace svc::model {

const std::vector<std::string>& icon_names();

// "did you mean "house" or "hospital"?": at most three names that are similar to this one; without
// one, the place that lists all icons.
std::string icons_like(const std::string& name);

}  // namespace svc::model
