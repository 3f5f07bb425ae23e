// Checks how PostgreSQL resolves a developer's statements before they run. The administrator asks,
// in a transaction that is rolled back, which functions, operators, types and tables it resolved. A
// batch changes only rows, so all statements are checked before the first runs.
#pragma once

#include <optional>

#include "query/batch/batch.hpp"

namespace svc::query {

struct BatchRefusal {
    std::string message, sqlstate, hint;
    std::size_t statement = 0;  // index
    std::size_t position = 0;   // character of the batch, from 1; 0: no place
};

// None: each of them calls what is on the lists alone. `database` is the administrator's URL of the
// app's database. Throws std::runtime_error if it does not answer.
std::optional<BatchRefusal> prove_batch(const std::string& database, const Batch& batch);

}  // namespace svc::query
