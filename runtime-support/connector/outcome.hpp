// The outcome of a call to another service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "outgoing/fetch.hpp"

namespace svc::connector {

struct Outcome {
    std::string data;   // JSON; where `error` is empty
    std::string error;  // in words, without any secret
    int status = 0;     // status of the last answer; 0: no answer
    bool retryable = false;
    bool unmade = false;  // the call could not be made, and the other service is not at fault
    std::optional<std::int64_t> retry_after = {};  // seconds

    bool ok() const { return error.empty(); }
};

Outcome failed(std::string error, bool retryable = false);
// The outcome of a call that could not be made.
Outcome unmade(std::string error);
// The outcome of a call without an answer.
Outcome no_answer(const outgoing::Fetched& fetched);

// The body as JSON: unchanged if it is JSON that a database can store, otherwise as a string.
std::string as_json(std::string body, std::string_view content_type);

}  // namespace svc::connector
