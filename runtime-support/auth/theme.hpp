// The look of an app, as its contract's theme has it: the colours, corners and fonts that its pages
// and the few pages of accounts share.
#pragma once

#include <string>

#include "svc/page.hpp"

namespace svc::auth {

// CSS that declares them as properties of :root, for light and for dark screens. Null: the standard
// theme.
std::string theme(const page::Site* site);

}  // namespace svc::auth
