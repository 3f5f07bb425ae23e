// A caller as generated predicates know them.
#pragma once

#include "identity/caller.hpp"
#include "svc/entity.hpp"
#include "svc/predicate.hpp"

namespace svc::feed {

// The viewer refers to the caller, who outlives it. It has no clock: whoever uses it sets one.
Viewer viewer_of(const Caller& caller);
// What policies compare with a column of a row.
Text value_of(const Viewer& viewer, ReadKey::Of of);

}  // namespace svc::feed
