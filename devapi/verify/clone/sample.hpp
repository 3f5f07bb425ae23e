// Sample rows for the clone: all rows of a small table; the newest rows of a large one, and the
// rows that they refer to.
#pragma once

#include <vector>

#include "verify/clone/clone.hpp"

namespace svc::devapi::verification {

// Reads the source in one snapshot, read only. Passwords of accounts are not copied. Throws
// pqxx::failure.
std::vector<CopiedTable> copy_rows(const plan::Plan& plan, const AppDatabase& source,
                                   const AppDatabase& clone);

}  // namespace svc::devapi::verification
