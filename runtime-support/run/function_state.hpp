// What a function begins with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/write/idempotency.hpp"
#include "identity/caller.hpp"

namespace svc::run {

// As svc.run_function takes it, as JSON. `params`: an object of JSON.
std::string first_state(std::string_view params, const Caller& caller,
                        const std::optional<data::write::IdempotencyKey>& key);

}  // namespace svc::run
