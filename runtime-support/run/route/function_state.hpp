// The first state of a function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/write/idempotency.hpp"
#include "identity/caller.hpp"

namespace svc::run {

// The state as JSON that svc.run_function takes. `params`: a JSON object.
std::string first_state(std::string_view params, const Caller& caller,
                        const std::optional<data::write::IdempotencyKey>& key);

}  // namespace svc::run
