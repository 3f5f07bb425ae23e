// Ensures that writes of a session happen only while the session exists.
#pragma once

#include "auth/context.hpp"
#include "identity/command.hpp"

namespace svc::auth {

// The first statement of an exchange that writes for a session. It holds the account's row, so that
// whatever ends sessions (a proven address, a new password, a disabled account) comes wholly before
// it, and the exchange is refused (SV401), or wholly after it, and ends what was written. The call
// must outlive the exchange.
class HeldSession {
  public:
    explicit HeldSession(const Call& call) : params_{call.caller->session_hash} {}

    db::Command command() const {
        return identity::command("svc_hold_session", "select svc.hold_session($1::bytea)", params_);
    }

  private:
    db::Param params_[1];
};

}  // namespace svc::auth
