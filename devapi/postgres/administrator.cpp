#include "postgres/administrator.hpp"

#include <stdexcept>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "postgres/scram.hpp"
#include "pq/connection.hpp"

namespace svc::devapi {
namespace {

// `what` it is for, in words.
void execute(const std::string& admin_url, const std::string& sql, const char* what) {
    const pq::Connection connection(admin_url);
    if (!pq::done(connection.run(sql)))
        throw std::runtime_error(std::string("Cannot ") + what + ": " + connection.error_message());
}

}  // namespace

std::string admin_password(const std::string& master_key) {
    return base::hex(base::derive_key(master_key, "postgres admin"));
}

void set_password(const std::string& admin_url, const std::string& password) {
    execute(admin_url,
            std::string("alter role ") + kAdministrator + " password '" + scram_verifier(password) +
                "'",
            "set the password of PostgreSQL's svc_admin");
}

void close_common_databases(const std::string& admin_url) {
    execute(admin_url, "revoke all on database postgres, template1 from public",
            "close PostgreSQL's own databases to app servers");
}

void set_admin_password(const std::string& admin_url, const std::string& master_key) {
    set_password(admin_url, admin_password(master_key));
}

}  // namespace svc::devapi
