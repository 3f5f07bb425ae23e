#include "verify/app/app_session.hpp"

#include "base/base64url.hpp"
#include "base/crypto.hpp"

namespace svc::devapi::verification {

std::string begin_app_session(CloneConnection& session, const std::string& account) {
    std::string token = "svc_s_" + base::base64url(base::random_bytes(32));
    session.run(
        "insert into svc.session (hash, account_id, expires_at, second_factor) values "
        "(sha256(convert_to(" +
        session.quote(token) + ", 'UTF8')), " + session.quote(account) +
        ", now() + interval '1 hour', true)");
    return token;
}

}  // namespace svc::devapi::verification
