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
    // What else happens at that moment brought it about, whatever the statement was.
    bool passing = false;
};

// Null: nothing but a fault of ours brings it about, or a value does.
const SqlStateMeaning* meaning_of(std::string_view sqlstate);

}  // namespace svc::identity
