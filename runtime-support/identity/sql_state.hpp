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
    // Other work at that moment caused it: the same request may succeed later.
    bool passing = false;
};

// Null: the state has no code of its own. A value that does not fit caused it, or a fault of svc.
const SqlStateMeaning* meaning_of(std::string_view sqlstate);

}  // namespace svc::identity
