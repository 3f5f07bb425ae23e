#include "verify/app/app_session.hpp"

#include "base/base64url.hpp"
#include "base/crypto.hpp"

namespace svc::devapi::verification {

std::string begin_app_session(CloneConnection& connection, const std::string& account,
                              const std::string& org) {
    std::string token = "svc_s_" + base::base64url(base::random_bytes(32));
    connection.run(
        "insert into svc.session (hash, account_id, org_id, expires_at, second_factor) values "
        "(sha256(convert_to(" +
        connection.quote(token) + ", 'UTF8')), " + connection.quote(account) + ", " +
        (org.empty() ? "null" : connection.quote(org)) + ", now() + interval '1 hour', true)");
    return token;
}

}  // namespace svc::devapi::verification
