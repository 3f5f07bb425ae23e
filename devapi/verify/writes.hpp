// Rows that might be: what a caller may make, and what they may make of a row.
#pragma once

#include "verify/bench.hpp"

namespace svc::devapi::verification {

// Of one entity, by every caller, past triggers and constraints: policies alone say yes or no.
void try_writes(Subject& subject, Bench& bench, std::size_t entity, VerifyCheck& out);

}  // namespace svc::devapi::verification
