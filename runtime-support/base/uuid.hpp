// Ids of rows: uuids of version 7, in the order of their making.
#pragma once

#include <string>

namespace svc::base {

// 36 characters, lower case. Within a thread each is greater than the one before.
std::string new_uuid();

}  // namespace svc::base
