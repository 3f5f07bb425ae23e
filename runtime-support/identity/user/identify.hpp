// Finds the Caller of an admitted request: guest, user of a session, server, or the caller that a
// server asserts.
#pragma once

#include <memory>

#include "identity/caller.hpp"
#include "identity/result.hpp"
#include "identity/user/assertion.hpp"
#include "identity/user/session_store.hpp"

namespace svc::identity {

class Identifier {
  public:
    Identifier(asio::io_context& io, const App& app, db::Pool& system);

    // For data routes: refuses a request whose session does not exist.
    Task<Result<Caller>> identify(const http::Head& head, std::shared_ptr<const AppKey> key,
                                  Cached cached = Cached::yes);

    SessionStore& sessions() { return sessions_; }

  private:
    Task<Result<Caller>> by_session(std::string_view token, Cached cached);

    SessionStore sessions_;
    AssertedCallers asserted_;
};

}  // namespace svc::identity
