#include "config.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "build/sandbox.hpp"
#include "loopback.hpp"
#include "outgoing/smtp.hpp"
#include "platform_hosts.hpp"

namespace svc::devapi {
namespace {

void declare(CLI::App& cli, Config& config) {
    const auto option = [&](const char* flag, auto& value, const char* variable, const char* help) {
        cli.add_option(flag, value, help)->envname(variable)->capture_default_str();
    };
    option("--home", config.home, "SVC_HOME", "data folder (default ~/.svc)");
    option("--listen", config.listen, "SVC_LISTEN", "the one public address, host:port");
    option("--apps-domain", config.apps_domain, "SVC_APPS_DOMAIN", "apps answer below it");
    option("--apps-origin", config.apps_origin, "SVC_APPS_ORIGIN",
           "where people reach apps, as https://*.apps.example (http://*.<apps domain>:<port>)");
    option("--public-origin", config.public_origin, "SVC_PUBLIC_ORIGIN",
           "where people reach this service, as https://svc.example (http://<listen>)");
    option("--owner-email", config.owner_email, "SVC_OWNER_EMAIL", "first account");
    option("--owner-password", config.owner_password, "SVC_OWNER_PASSWORD", "its password");
    option("--database-url", config.database_url, "DATABASE_URL",
           "a PostgreSQL server to use instead of a private one");
    option("--master-key-file", config.master_key_file, "SVC_MASTER_KEY_FILE",
           "key that seals secrets (default <home>/master.key)");
    cli.add_flag("--rotate-master-key", config.rotate_master_key,
                 "make another master key, seal everything under it, then serve");
    cli.add_option("--reset-factor", config.reset_factor,
                   "take the second factors off the account of this address, and end");
    option("--smtp-url", config.smtp_url, "SVC_SMTP_URL",
           "mail server: smtp://user:password@host:587/?from=svc@example.com");
    cli.add_option("--release-address", config.release_address,
                   "take this address away from an account that nobody has proven, then serve");
    option("--app-user", config.app_user, "SVC_APP_USER",
           "unix user that app servers run as when svcd is root");
    option("--sandbox", config.sandbox, "SVC_SANDBOX",
           "compilers in bubblewrap: auto, required or off");
    if (::geteuid() == 0) config.app_user = "nobody";
    cli.add_option("--trusted-proxies", config.trusted_proxies,
                   "proxies whose X-Forwarded-For is believed")
        ->envname("SVC_TRUSTED_PROXIES")
        ->delimiter(',');
    cli.add_option("--allow-private-hosts", config.private_hosts,
                   "private hosts that outgoing calls may reach, or *")
        ->envname("SVC_ALLOW_PRIVATE_HOSTS")
        ->delimiter(',');
    option("--rate-browser", config.rate_browser, "SVC_RATE_BROWSER",
           "requests a minute and project, browser keys");
    option("--rate-server", config.rate_server, "SVC_RATE_SERVER",
           "requests a minute and project, server keys");
}

std::string default_home() {
    const char* home = std::getenv("HOME");
    if (!home || !*home)
        throw std::invalid_argument(
            "SVC_HOME is not set, and neither is HOME. Say where data goes.");
    return std::string(home) + "/.svc";
}

void check_listen(const std::string& listen) {
    const auto colon = listen.rfind(':');
    const std::string port = colon == std::string::npos ? "" : listen.substr(colon + 1);
    const bool number =
        !port.empty() && port.size() <= 5 &&
        std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (colon == 0 || !number || std::stoi(port) > 65535)
        throw std::invalid_argument("SVC_LISTEN is '" + listen +
                                    "', but takes host:port, such as 127.0.0.1:7878.");
}

void check_owner(const Config& config) {
    if (config.owner_email.empty() != config.owner_password.empty())
        throw std::invalid_argument(
            "SVC_OWNER_EMAIL and SVC_OWNER_PASSWORD go together: set both.");
    if (!config.owner_email.empty() && config.owner_email.find('@') == std::string::npos)
        throw std::invalid_argument("SVC_OWNER_EMAIL is not an e-mail address.");
    if (!config.owner_password.empty() && config.owner_password.size() < 8)
        throw std::invalid_argument("SVC_OWNER_PASSWORD needs at least 8 characters.");
}

void check_mail_server(const Config& config) try {
    if (!config.smtp_url.empty()) outgoing::read_mail_server(config.smtp_url);
} catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("SVC_SMTP_URL: ") + error.what() + ".");
}

void warn_unused() {
    for (const char* name : {"REDIS_URL", "S3_ENDPOINT", "S3_BUCKET"})
        if (std::getenv(name))
            std::fprintf(stderr, "svcd: %s has no effect in this version.\n", name);
}

}  // namespace

std::string Config::public_url() const {
    return public_origin.empty() ? "http://" + listen : public_origin;
}

std::string Config::listen_host() const { return listen.substr(0, listen.rfind(':')); }

std::string Config::listen_port() const { return listen.substr(listen.rfind(':') + 1); }

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
    config.apps_domain = lower(config.apps_domain);
    while (config.public_origin.ends_with('/')) config.public_origin.pop_back();
    config.platform_hosts = platform_hosts(config);
    check_listen(config.listen);
    check_owner(config);
    check_mail_server(config);
    const bool silent = std::getenv("SVC_ALLOW_PRIVATE_HOSTS") == nullptr;
    if (silent && config.private_hosts.empty() && is_loopback(config.listen))
        config.private_hosts = {"*"};
    build::sandbox_of(config.sandbox);
    warn_unused();
    return config;
}

}  // namespace svc::devapi
