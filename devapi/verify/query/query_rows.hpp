// Compares the rows of a named query with the rows that its SQL finds among the rows that the
// contract shows to the caller.
#pragma once

#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

struct Answer {
    const model::Query* query = nullptr;
    const plan::Query* planned = nullptr;
    VerifyCaller caller;
    bool elevated = false;  // past row-level security: as the owner sees it
    std::string body;       // of the answer 200
};

// Where what the SQL answers depends on the order of rows or on the clock, how many there are is
// compared alone. Nothing may hold the clone's rows meanwhile.
void compare_rows(Subject& subject, const std::vector<Answer>& answers, VerifyCheck& out);

}  // namespace svc::devapi::verification
