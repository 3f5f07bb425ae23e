#include "read_config.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "apps/process/app_users.hpp"
#include "base/ascii.hpp"
#include "build/sandbox.hpp"
#include "domains/txt_records.hpp"
#include "file/s3/settings.hpp"
#include "outgoing/smtp.hpp"
#include "settings/loopback.hpp"
#include "settings/platform_hosts.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kAppUsers = "70000-74999";

// An option that the environment can set as well; help shows its default.
template <class Value>
void option(CLI::App& cli, const char* flag, Value& value, const char* variable, const char* help) {
    cli.add_option(flag, value, help)->envname(variable)->capture_default_str();
}

// Settings of the addresses at which people reach svcd.
void declare_addresses(CLI::App& cli, Config& config) {
    option(cli, "--home", config.home, "SVC_HOME", "the data folder (default ~/.svc)");
    option(cli, "--listen", config.listen, "SVC_LISTEN",
           "the public address to listen on, host:port");
    option(cli, "--apps-domain", config.apps_domain, "SVC_APPS_DOMAIN",
           "the domain below which apps answer");
    option(cli, "--apps-origin", config.apps_origin, "SVC_APPS_ORIGIN",
           "where people reach apps, such as https://*.apps.example (default http://*.<apps "
           "domain>:<port>)");
    option(
        cli, "--public-origin", config.public_origin, "SVC_PUBLIC_ORIGIN",
        "where people reach this service, such as https://svc.example (default http://<listen>)");
}

// Accounts, the database and mail.
void declare_data(CLI::App& cli, Config& config) {
    option(cli, "--owner-email", config.owner_email, "SVC_OWNER_EMAIL", "first account");
    option(cli, "--owner-password", config.owner_password, "SVC_OWNER_PASSWORD", "its password");
    option(cli, "--database-url", config.database_url, "DATABASE_URL",
           "a PostgreSQL server to use instead of a private one");
    option(cli, "--master-key-file", config.master_key_file, "SVC_MASTER_KEY_FILE",
           "the file of the key that seals secrets (default <home>/master.key)");
    cli.add_flag("--rotate-master-key", config.rotate_master_key,
                 "make a new master key, seal everything with it, then serve");
    cli.add_option("--reset-factor", config.reset_factor,
                   "remove the second factors of the account with this address, then exit");
    option(cli, "--smtp-url", config.smtp_url, "SVC_SMTP_URL",
           "the mail server: smtp://user:password@host:587/?from=svc@example.com");
    cli.add_option("--release-address", config.release_address,
                   "take this address away from an account that has not proven it, then serve");
}

void declare_apps(CLI::App& cli, Config& config) {
    option(
        cli, "--app-users", config.app_users, "SVC_APP_USERS",
        "unix users of app servers when svcd is root, one for each project: 70000-74999, or off");
    option(cli, "--app-user", config.app_user, "SVC_APP_USER",
           "the unix user of all app servers when svcd is root and --app-users is off");
    option(cli, "--sandbox", config.sandbox, "SVC_SANDBOX",
           "run compilers in bubblewrap: auto, required or off");
    option(cli, "--chromium", config.chromium, "SVC_CHROMIUM",
           "the browser that takes screenshots");
    if (::geteuid() == 0) config.app_user = "nobody";
}

void declare_network(CLI::App& cli, Config& config) {
    cli.add_option("--trusted-proxies", config.trusted_proxies,
                   "proxies whose X-Forwarded-For is believed")
        ->envname("SVC_TRUSTED_PROXIES")
        ->delimiter(',');
    cli.add_option("--allow-private-hosts", config.private_hosts,
                   "private hosts that outgoing calls may reach, or * for any")
        ->envname("SVC_ALLOW_PRIVATE_HOSTS")
        ->delimiter(',');
    option(cli, "--dns-server", config.dns_server, "SVC_DNS_SERVER",
           "the DNS server that is asked for TXT records of domains, address:port (default: this "
           "machine's)");
    cli.add_flag("--domains-unproven", config.domains_unproven,
                 "give domains to projects without a TXT record (only on a loopback address)")
        ->envname("SVC_DOMAINS_UNPROVEN");
}

void declare_limits(CLI::App& cli, Config& config) {
    option(cli, "--rate-browser", config.rate_browser, "SVC_RATE_BROWSER",
           "requests a minute for a project with browser keys");
    option(cli, "--rate-server", config.rate_server, "SVC_RATE_SERVER",
           "requests a minute for a project with server keys");
    cli.add_option("--check-seconds", config.check_seconds,
                   "how long PostgreSQL may take to prove one contract")
        ->envname("SVC_CHECK_SECONDS")
        ->check(CLI::Range(1, 600))
        ->capture_default_str();
    cli.add_option("--long-calls", config.long_calls,
                   "how many checks, applies, SQL calls and other long calls of one workspace run "
                   "at a time")
        ->envname("SVC_LONG_CALLS")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
}

// In the order in which help lists them.
void declare(CLI::App& cli, Config& config) {
    declare_addresses(cli, config);
    declare_data(cli, config);
    declare_apps(cli, config);
    declare_network(cli, config);
    declare_limits(cli, config);
}

std::string default_home() {
    const char* home = std::getenv("HOME");
    if (!home || !*home)
        throw std::invalid_argument(
            "Neither SVC_HOME nor HOME is set. Set SVC_HOME to the data folder.");
    return std::string(home) + "/.svc";
}

void check_listen(const std::string& listen) {
    const auto colon = listen.rfind(':');
    const std::string port = colon == std::string::npos ? "" : listen.substr(colon + 1);
    const bool number =
        !port.empty() && port.size() <= 5 &&
        std::all_of(port.begin(), port.end(), [](char c) { return base::is_digit(c); });
    if (colon == 0 || !number || std::stoi(port) > 65535)
        throw std::invalid_argument("SVC_LISTEN is '" + listen +
                                    "', but must be host:port, such as 127.0.0.1:7878.");
}

void check_owner(const Config& config) {
    if (config.owner_email.empty() != config.owner_password.empty())
        throw std::invalid_argument(
            "SVC_OWNER_EMAIL and SVC_OWNER_PASSWORD belong together. Set both.");
    if (!config.owner_email.empty() && config.owner_email.find('@') == std::string::npos)
        throw std::invalid_argument("SVC_OWNER_EMAIL is not an e-mail address.");
    if (!config.owner_password.empty() && config.owner_password.size() < 8)
        throw std::invalid_argument("SVC_OWNER_PASSWORD needs at least 8 characters.");
}

// A proxy in front makes everybody's call a local one.
bool stands_alone(const Config& config) {
    return is_loopback(config.listen) && config.apps_domain == "localhost" &&
           config.public_origin.empty() && config.apps_origin.empty() &&
           config.trusted_proxies.empty();
}

void check_domains(const Config& config) {
    if (config.domains_unproven && !is_loopback(config.listen))
        throw std::invalid_argument(
            "SVC_DOMAINS_UNPROVEN is allowed only with a loopback SVC_LISTEN, because anybody "
            "could take somebody else's domain. Unset it.");
    if (!are_dns_servers(config.dns_server))
        throw std::invalid_argument("SVC_DNS_SERVER is '" + config.dns_server +
                                    "', but must be address:port, such as 127.0.0.1:53.");
}

void check_mail_server(const Config& config) try {
    if (!config.smtp_url.empty()) outgoing::read_mail_server(config.smtp_url);
} catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("SVC_SMTP_URL: ") + error.what() + ".");
}

// Without root svcd cannot change the user. By default each project's servers have a separate user,
// if there are enough.
void choose_users(Config& config) {
    const bool given = !config.app_users.empty();
    if (!given) config.app_users = kAppUsers;
    const UserRange range = user_range(config.app_users);
    const bool able = range.last > 0 && ::geteuid() == 0 && has_users(range);
    if (able) {
        config.app_user = std::to_string(range.first);
        return;
    }
    if (given && range.last > 0 && ::geteuid() == 0)
        throw std::invalid_argument("SVC_APP_USERS is '" + config.app_users +
                                    "', but this machine or container has no such users.");
    if (!given && ::geteuid() == 0)
        std::fprintf(stderr,
                     "svcd: all apps run as one unix user, because this machine has no unix users "
                     "%s. Set SVC_APP_USERS.\n",
                     kAppUsers);
    config.app_users = "off";
}

void warn_unused() {
    if (std::getenv("REDIS_URL"))
        std::fprintf(stderr, "svcd: REDIS_URL has no effect in this version.\n");
}

}  // namespace

Config read_config(int argc, char** argv) {
    Config config;
    CLI::App cli("svcd: the developer API of svc; it builds, runs and routes to the apps.", "svcd");
    declare(cli, config);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        std::exit(cli.exit(help));
    } catch (const CLI::ParseError& error) {
        throw std::invalid_argument(error.what());
    }
    if (config.home.empty()) config.home = default_home();
    config.home = std::filesystem::absolute(config.home).lexically_normal().string();
    if (config.home.size() > 1 && config.home.back() == '/') config.home.pop_back();
    if (config.master_key_file.empty()) config.master_key_file = config.home + "/master.key";
    config.apps_domain = base::lower(config.apps_domain);
    while (config.public_origin.ends_with('/')) config.public_origin.pop_back();
    config.platform_hosts = platform_hosts(config);
    check_listen(config.listen);
    config.on_loopback = is_loopback(config.listen);
    check_owner(config);
    check_mail_server(config);
    check_domains(config);
    const bool silent = std::getenv("SVC_ALLOW_PRIVATE_HOSTS") == nullptr;
    config.reaches_all = silent && config.private_hosts.empty() && stands_alone(config);
    if (config.reaches_all) config.private_hosts = {"*"};
    build::sandbox_of(config.sandbox);
    choose_users(config);
    file::read_s3_settings();  // or throws
    warn_unused();
    return config;
}

}  // namespace svc::devapi
