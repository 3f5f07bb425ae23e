// Icons that a menu entry may name.
#pragma once

#include <string>
#include <vector>

namespace svc::model {

const std::vector<std::string>& icon_names();

// "did you mean "house" or "hospital"?": the names most like this one, at most three; where none
// is, what lists them all.
std::string icons_like(const std::string& name);

}  // namespace svc::model
