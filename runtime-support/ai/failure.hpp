// The app's answers if its provider fails.
#pragma once

#include <string_view>

#include "identity/result.hpp"
#include "outgoing/fetch.hpp"

namespace svc::ai {

// The refusal for an answer whose status is not a success, or that never came (status 0). The log
// gets what the app's operator needs, but neither the key nor the prompt.
identity::Refusal provider_failed(const outgoing::Fetched& answer, std::string_view host);
// The refusal for an answer that svc cannot read. `why` is for the log.
identity::Refusal provider_nonsense(std::string_view why, std::string_view host);

}  // namespace svc::ai
