// A caller as generated predicates know them.
#pragma once

#include "identity/caller.hpp"
#include "svc/predicate.hpp"

namespace svc::feed {

// Views into the caller, who outlives it. No clock: whoever asks for something of it sets it.
Viewer viewer_of(const Caller& caller);

}  // namespace svc::feed
