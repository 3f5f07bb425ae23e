// Settings of svcd: environment variables, each with a flag of the same name. docs/operations.md
// lists them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace svc::devapi {

struct Config {
    std::string home;                       // SVC_HOME, absolute
    std::string listen = "127.0.0.1:7878";  // SVC_LISTEN
    std::string apps_domain = "localhost";  // SVC_APPS_DOMAIN, lower case
    std::string
        apps_origin;  // SVC_APPS_ORIGIN, as https://*.apps.example; empty: http and our own port
    std::string owner_email, owner_password;
    std::string database_url;     // empty: a private PostgreSQL
    std::string master_key_file;  // SVC_MASTER_KEY_FILE, default <home>/master.key
    // Where svcd is root. Users of app servers, SVC_APP_USERS: "70000-74999" or "off". The user of
    // the standby, and of all app servers if they have none of their own: SVC_APP_USER.
    std::string app_users = {};
    std::string app_user;
    std::string sandbox;                         // SVC_SANDBOX: auto, required, off
    std::string chromium = "/usr/bin/chromium";  // SVC_CHROMIUM: the browser of screenshots
    std::string smtp_url;         // SVC_SMTP_URL: invitations are mailed; app servers have it too
    std::string release_address;  // --release-address: an account that somebody else made
    std::vector<std::string> trusted_proxies;  // SVC_TRUSTED_PROXIES, separated by commas
    std::vector<std::string> private_hosts;    // SVC_ALLOW_PRIVATE_HOSTS; "*": every one
    std::string dns_server;         // SVC_DNS_SERVER, address:port; empty: this machine's
    bool domains_unproven = false;  // SVC_DOMAINS_UNPROVEN: no TXT record is asked for
    unsigned rate_browser = 600, rate_server = 1200;
    unsigned check_seconds = 20;     // SVC_CHECK_SECONDS: what PostgreSQL may take for one contract
    unsigned long_calls = 4;         // SVC_LONG_CALLS: of a workspace, and of an account, at a time
    std::string public_origin = {};  // SVC_PUBLIC_ORIGIN, without a slash; empty: http://<listen>
    // The platform's own host names, in lower case. Every IP address counts as one too. Derived
    // from the settings above.
    std::vector<std::string> platform_hosts = {};
    int listen_fd = -1;              // a listening socket that was handed to us; -1: none
    bool on_loopback = false;        // what is listened to is reached from this machine alone
    bool reaches_all = false;        // private_hosts is "*" since nobody said otherwise
    std::string reset_factor = {};   // --reset-factor: whose second factors to take off
    bool rotate_master_key = false;  // --rotate-master-key; no variable, or each start would

    std::string public_url() const;  // where people reach this service, without a slash at its end
    std::string listen_host() const;
    std::string listen_port() const;
};

// Listens on a socket that was handed over, whose address SVC_LISTEN does not say. -1: none was.
// Throws std::invalid_argument that names the setting and what it takes.
void take_listener(Config& config, int socket);

// Makes the data folder, for its owner alone; others may pass through it where PostgreSQL runs as
// another user. Throws std::system_error.
void make_home(const std::string& home);

// A unique name of the data folder, read from `home`/id or made there. Throws std::system_error.
std::string data_folder_id(const std::string& home);

// 32 bytes, read from the file or made there (hex, mode 0600). Throws std::runtime_error.
std::string master_key(const std::string& file);

struct HomeInUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A lock that is held while svcd runs on this data folder, so that no second svcd uses it.
class HomeLock {
  public:
    explicit HomeLock(const std::string& home);  // throws HomeInUse when it is taken
    ~HomeLock();
    HomeLock(const HomeLock&) = delete;
    HomeLock& operator=(const HomeLock&) = delete;

  private:
    int fd_;
};

}  // namespace svc::devapi
