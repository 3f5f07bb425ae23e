// Limits for builders' calls that are expensive for the server: by account, or by address before
// sign-in. Counted in this process.
#pragma once

#include <string>

#include "http/dev_request.hpp"
#include "identity/budget.hpp"

namespace svc::devapi {

class DevLimits {
  public:
    enum class Kind {
        tokens,
        projects,
        workspaces,
        invitations,
        mails,
        mailboxes,
        sign_ins,
        session_codes
    };

    // Counts one. False: answered 429 with Retry-After.
    bool allows(Kind kind, const std::string& who, Response& response);
    // Counts one of `who`. Returns 0, or the seconds to wait.
    unsigned take(Kind kind, const std::string& who) { return throttle(kind).take(who); }
    // Forgets the counted tries: the caller was right.
    void forget(Kind kind, const std::string& who) { throttle(kind).reset(who); }

  private:
    identity::Throttle& throttle(Kind kind);

    identity::Throttle tokens_{200, std::chrono::hours(1)};
    identity::Throttle projects_{600, std::chrono::hours(1)};
    identity::Throttle workspaces_{50, std::chrono::hours(1)};
    identity::Throttle invitations_{100, std::chrono::hours(1)};
    identity::Throttle mails_{5, std::chrono::hours(1)};         // by account and recipient
    identity::Throttle mailboxes_{20, std::chrono::hours(1)};    // by recipient
    identity::Throttle sign_ins_{60, std::chrono::minutes(10)};  // of clients, begun; an address
    identity::Throttle session_codes_{10, std::chrono::minutes(15)};  // wrong ones, of a session
};

}  // namespace svc::devapi
