// Maps SQLSTATEs to the errors that callers read. This is the only place that knows both.
#pragma once

#include <optional>
#include <string_view>

#include "db/pool.hpp"
#include "http/error.hpp"
#include "svc/entity.hpp"

namespace svc::data {

// Our code for a SQLSTATE; none if the answer has PostgreSQL's own (a value that does not fit), or
// if it is hidden.
std::optional<Code> code_of(std::string_view sqlstate);

// True if the caller's session ended in the meantime: identify the caller again, then repeat.
bool session_ended(const db::Outcome& outcome);
// True if PostgreSQL's row-level security refused the statement.
bool row_refused(const db::Outcome& outcome);

// The error of an external entity's database: that its table is no longer as it was at the apply
// (its trigger says so), or that it cannot be reached. None for any other error, or if the app's
// own database failed. The wrapper's own text would contain the secret.
std::optional<Error> external_error(const db::Outcome& outcome);

// The error of an outcome that is not ok. What a caller cannot mend is logged, and answered in
// general words.
Error to_error(const db::Outcome& outcome, const Entity& entity);

}  // namespace svc::data
