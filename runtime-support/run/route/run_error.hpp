// Turns the errors that the functions of svc raise about runs and functions into answers.
#pragma once

#include "db/pool.hpp"
#include "identity/result.hpp"

namespace svc::run {

// The error for an outcome that is not ok.
Error error_of(const db::Outcome& outcome);

inline identity::Refusal refusal_of(const Error& error) { return {error}; }

}  // namespace svc::run
