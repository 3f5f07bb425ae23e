// Possible rows: rows that a caller may create, and changes that they may make to a row.
#pragma once

#include "verify/access/bench.hpp"

namespace svc::devapi::verification {

// Tries writes to one entity as every caller, without triggers and constraints, so only policies
// decide.
void try_writes(Subject& subject, Bench& bench, std::size_t entity, VerifyCheck& out);

}  // namespace svc::devapi::verification
