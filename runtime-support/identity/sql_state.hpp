// What failures of PostgreSQL mean to a caller: the one table of SQLSTATEs and codes.
#pragma once

#include <optional>
#include <string_view>

#include "http/error.hpp"

namespace svc::identity {

struct SqlStateMeaning {
    std::string_view state;
    Code code = Code::database_error;
    std::string_view message;  // empty: PostgreSQL's own
    // True if other work at that moment caused the failure, so the same request may succeed later.
    bool passing = false;
};

// Null if the state has no code: a value that does not fit, or a fault of svc, caused it.
const SqlStateMeaning* meaning_of(std::string_view sqlstate);

}  // namespace svc::identity
