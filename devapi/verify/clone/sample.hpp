// Rows for the clone: all of a small table, the newest of a large one and those they refer to.
#pragma once

#include <vector>

#include "verify/clone/clone.hpp"

namespace svc::devapi::verification {

// Reads the source in one snapshot, read only. Passwords of accounts stay behind. Throws
// pqxx::failure.
std::vector<CopiedTable> copy_rows(const plan::Plan& plan, const AppDatabase& source,
                                   const AppDatabase& clone);

}  // namespace svc::devapi::verification
