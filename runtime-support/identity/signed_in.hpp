// The user of the session that a request shows, as the database has them now: for what is done with
// accounts, and for administrators. Routes of data go by what a process remembers
// (route/as_caller.hpp).
#pragma once

#include <memory>

#include "identity/identify.hpp"

namespace svc::identity {

// UNAUTHORIZED if there is none; a session that came by cookie must be meant.
Task<Result<Caller>> signed_in(Identifier& identifier, const http::Head& head,
                               std::shared_ptr<const AppKey> key);

}  // namespace svc::identity
