#include "welcome.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>

#include "auth/password/argon2.hpp"
#include "base/url_host.hpp"
#include "log/log.hpp"
#include "platform/account/accounts.hpp"
#include "platform/audit.hpp"
#include "platform/workspace/invitations.hpp"

namespace svc::devapi {
namespace {

// Without the setting all clients have the address of the proxy.
void warn_of_proxy(const Config& config) {
    const bool local = base::is_loopback_name(base::host_of(config.public_origin));
    if (config.public_origin.empty() || local || !config.on_loopback ||
        !config.trusted_proxies.empty())
        return;
    log::write(log::Level::warning, "proxy_not_trusted",
               {{"what",
                 "SVC_PUBLIC_ORIGIN names a proxy, but svcd trusts no proxy. All people therefore "
                 "count as one address: a few failed sign-ins lock everybody out for 15 minutes, "
                 "and the audit shows the proxy's address. Set SVC_TRUSTED_PROXIES to the address "
                 "that the proxy connects from, such as 127.0.0.1."},
                {"setting", "SVC_TRUSTED_PROXIES"}});
}

// Apps are found by the host that they are asked by.
void warn_of_apps_domain(const Config& config) {
    const std::string host = base::host_of(config.apps_origin);
    if (host.empty() || host == "*." + config.apps_domain) return;
    log::write(log::Level::warning, "apps_domain_differs",
               {{"what", "SVC_APPS_ORIGIN says that people reach apps as " + host +
                             ", but svcd answers apps below " + config.apps_domain +
                             ". Set SVC_APPS_DOMAIN to the same domain, unless the proxy changes "
                             "the Host header."},
                {"setting", "SVC_APPS_DOMAIN"}});
}

}  // namespace

void warn_of_settings(const Config& config) {
    warn_of_proxy(config);
    warn_of_apps_domain(config);
}

void welcome(const Config& config, Store& store) {
    if (any_account(store)) return;
    if (!config.owner_email.empty()) {
        if (!plausible_email(normal_email(config.owner_email)))
            throw std::invalid_argument(std::string("SVC_OWNER_EMAIL: ") + kNoEmail);
        create_owner(store, config.owner_email, auth::password::make_hash(config.owner_password));
        std::printf("svcd: created the first account, %s\n", config.owner_email.c_str());
        return;
    }
    std::printf(
        "svcd: open this link to set up the first account (it works once, within 7 days):\n  "
        "http://%s/setup?token=%s\n",
        config.listen.c_str(), new_setup_link(store).c_str());
}

void release_claimed(const Config& config, Store& store) {
    if (config.release_address.empty()) return;
    AuditEntry entry;
    entry.email = normal_email(config.release_address);
    entry.action = "svcd --release-address";
    entry.address = "local";
    const bool released = release_address(store, entry.email);
    entry.status = released ? 200 : 404;
    record(store, entry);
    std::printf("svcd: %s %s\n",
                released ? "nobody can sign in any more to the account that had the address"
                         : "there is no account whose unproven address is",
                entry.email.c_str());
}

}  // namespace svc::devapi
