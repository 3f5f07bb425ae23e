// Rendered files, in memory, by path below the app's folder. Ordered, so that everything made from
// it is.
#pragma once

#include <map>
#include <string>

namespace svc::emit {

using FileSet = std::map<std::string, std::string>;

}  // namespace svc::emit
