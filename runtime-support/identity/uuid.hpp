// Ids that the server makes.
#pragma once

#include <string>

namespace svc::identity {

// Version 7: 36 characters, lower case, in order of time by the millisecond.
std::string new_uuid();

}  // namespace svc::identity
