// SQLSTATE to the error that a caller reads: the one place that knows both.
#pragma once

#include <optional>
#include <string_view>

#include "db/pool.hpp"
#include "http/error.hpp"
#include "svc/entity.hpp"

namespace svc::data {

// Our code of a SQLSTATE; none if PostgreSQL's own is told (a value that does not fit) or
// hidden.
std::optional<Code> code_of(std::string_view sqlstate);

// The caller's session ended in the meantime: identify anew, then repeat.
bool session_ended(const db::Outcome& outcome);
// PostgreSQL's row-level security said no.
bool row_refused(const db::Outcome& outcome);

// What the database of an external entity says of itself: by a trigger of its own, that its table
// is not as it was at the apply, or that it is away; none if it says anything else, or if the
// app's own database does. Words of the wrapper would name the secret.
std::optional<Error> told_by_external(const db::Outcome& outcome);

// For an outcome that is not ok. What a caller cannot mend is logged, and answered in general
// words.
Error to_error(const db::Outcome& outcome, const Entity& entity);

}  // namespace svc::data
