// What the app answers where its provider fails.
#pragma once

#include <string_view>

#include "identity/result.hpp"
#include "outgoing/fetch.hpp"

namespace svc::ai {

// Of an answer whose status is none of success, or that never came (status 0). Says in the log what
// the app's operator needs to know: neither the key nor what was asked.
identity::Refusal provider_failed(const outgoing::Fetched& answer, std::string_view host);
// Of an answer that is none: `why` is for the log.
identity::Refusal provider_nonsense(std::string_view why, std::string_view host);

}  // namespace svc::ai
