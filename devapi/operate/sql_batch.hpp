// A developer's statements in one transaction, past row-level security.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "base/sql_state.hpp"
#include "query/batch/batch.hpp"

namespace svc::devapi {

struct SqlAnswer {
    std::vector<std::string> results;  // envelopes, one a statement
    // Set if the batch was rolled back.
    std::string error, sqlstate, detail, hint;
    std::size_t statement = 0;  // index
    std::size_t position = 0;   // character of the batch, from 1; 0: no place

    // True if a batch that may only read tried to write.
    bool wrote() const { return sqlstate == base::sqlstate::kReadOnly; }
};

// Proven as the administrator (query/batch/batch_proof.hpp), run as the role for developers' SQL
// (apps/database/sql_role.hpp). If `gone` becomes true, nobody waits for the answer: the running
// statement is cancelled, and everything is rolled back.
SqlAnswer run_batch(const AppDatabase& database, const query::Batch& batch, bool read_only,
                    const std::atomic<bool>* gone = nullptr);

}  // namespace svc::devapi
