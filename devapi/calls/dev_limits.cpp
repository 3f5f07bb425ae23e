#include "calls/dev_limits.hpp"

namespace svc::devapi {

identity::Throttle& DevLimits::throttle(Kind kind) {
    switch (kind) {
        case Kind::tokens:
            return tokens_;
        case Kind::projects:
            return projects_;
        case Kind::workspaces:
            return workspaces_;
        case Kind::invitations:
            return invitations_;
        case Kind::mails:
            return mails_;
        case Kind::mailboxes:
            return mailboxes_;
        case Kind::sign_ins:
            return sign_ins_;
        case Kind::session_codes:
            return session_codes_;
    }
    return sign_ins_;
}

bool DevLimits::allows(Kind kind, const std::string& who, Response& response) {
    const unsigned seconds = take(kind, who);
    if (seconds == 0) return true;
    response.header("Retry-After", std::to_string(seconds));
    response.refuse(Code::rate_limited, "Too many requests of this kind. Wait and try again.");
    return false;
}

}  // namespace svc::devapi
