// Icons that a menu entry may name.
#pragma once

#include <string>
#include <vector>

namespace svc::model {

const std::vector<std::string>& icon_names();

}  // namespace svc::model
