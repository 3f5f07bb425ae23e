// Reads the user of a request's session from the database: for routes of accounts and for
// administrators. Data routes use the cached session (route/as_caller.hpp).
#pragma once

#include <memory>

#include "identity/user/identify.hpp"

namespace svc::identity {

// Refuses with UNAUTHORIZED if there is no session. A session that came by cookie must pass the
// check of the origin.
Task<Result<Caller>> signed_in(Identifier& identifier, const http::Head& head,
                               std::shared_ptr<const AppKey> key);

}  // namespace svc::identity
