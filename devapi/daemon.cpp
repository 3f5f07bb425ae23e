#include "daemon.hpp"

#include <unistd.h>

#include <boost/asio.hpp>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "apps/apply/apply.hpp"
#include "apps/apps.hpp"
#include "apps/database/database.hpp"
#include "apps/process/app_users.hpp"
#include "apps/process/launch.hpp"
#include "auth/password/argon2.hpp"
#include "base/crypto.hpp"
#include "base/url_host.hpp"
#include "log/log.hpp"
#include "operate/files_watch.hpp"
#include "outgoing/fetch.hpp"
#include "platform/account/accounts.hpp"
#include "platform/audit.hpp"
#include "platform/keys/keys.hpp"
#include "platform/project/domains.hpp"
#include "platform/workspace/invitations.hpp"
#include "service/dev_service.hpp"
#include "standby/standby_supervisor.hpp"
#include "verify/verify.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kWorkers = 8;
// Beside those of the workers: leases are renewed while all of these are in use.
constexpr std::size_t kLeaseConnections = 2;
constexpr auto kShutdownTime = std::chrono::seconds(10);

AppsConfig apps_config(const Config& config, const std::string& master_key,
                       const std::string& admin_url, Store& store) {
    AppsConfig out;
    out.home = config.home;
    out.admin_url = admin_url;
    out.master_key = master_key;
    out.apps_domain = config.apps_domain;
    out.apps_origin = config.apps_origin;
    out.platform_hosts = config.platform_hosts;
    out.listen = config.listen;
    out.rate_browser = config.rate_browser;
    out.rate_server = config.rate_server;
    out.check_seconds = config.check_seconds;
    out.build.toolchain = build::default_toolchain();
    out.build.cache = config.home + "/cache";
    out.build.sandbox = build::sandbox_of(config.sandbox);
    if (!build::sandboxed(out.build.sandbox) && out.build.sandbox != build::Sandbox::off)
        log::write(log::Level::warning, "compilers_not_shut_in",
                   {{"what", build::sandbox_trouble()}, {"setting", "SVC_SANDBOX"}});
    out.app_user = config.app_user;
    if (const UserRange range = user_range(config.app_users); range.last > 0)
        out.users = std::make_shared<AppUsers>(store, range);
    out.private_hosts = config.private_hosts;
    out.generations = std::make_shared<Generations>();
    return out;
}

http::Limits limits(const Config& config) {
    http::Limits out;
    out.trusted_proxies = config.trusted_proxies;
    return out;
}

// The first account: from the settings, or by a link that is printed.
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

}  // namespace

struct Daemon::Impl {
    Impl(const Config& settings, const std::string& master_key, const std::string& admin_url)
        : config(settings),
          guard(asio::make_work_guard(io)),
          signals(io, SIGTERM, SIGINT),
          store(admin_url, kWorkers + kLeaseConnections),
          signer(base::derive_key(master_key, "builder session")),
          secrets(store, master_key),
          factors(store, master_key),
          apps(io, apps_config(config, master_key, admin_url, store), store,
               data_folder_id(config.home)),
          context{config, store, directory, apps, signer, secrets, factors, {}, {}, {}},
          workers(kWorkers),
          service(context, workers),
          server(io, service, limits(config)),
          standby(io, config, directory, apps,
                  [this](http::Connection connection) { adopt(std::move(connection)); }) {}
    ~Impl() { stop(); }

    unsigned short listen();
    void adopt(http::Connection connection);
    void start_io();
    std::vector<AppFiles> apps_with_files() const;
    void resume_apps();
    void drain();
    void stop();

    Config config;
    bool answers = false;                 // requests, since every app is known
    std::vector<http::Connection> early;  // handed back before
    asio::io_context io{1};
    asio::executor_work_guard<asio::io_context::executor_type> guard;
    asio::signal_set signals;
    std::promise<void> asked_to_stop;
    Store store;
    Directory directory;
    SessionSigner signer;
    Secrets secrets;
    Factors factors;
    Apps apps;
    Context context;
    Workers workers;
    DevService service;
    http::Server server;
    StandbySupervisor standby;
    std::thread io_thread;
    FilesWatch files;
};

// The socket that systemd holds, or that an earlier svcd listened on, or a new one.
unsigned short Daemon::Impl::listen() {
    int held = standby.take_listener();
    if (config.listen_fd >= 0) {
        if (held >= 0) ::close(held);
        held = config.listen_fd;
    }
    return server.listen(held < 0 ? config.listen : "fd:" + std::to_string(held));
}

// Takes over a connection whose next request belongs to another process. A standby may hand it over
// while svcd still looks for its address and its apps: a request that came then would get no app.
void Daemon::Impl::adopt(http::Connection connection) {
    if (!answers) return early.push_back(std::move(connection));
    connection.must_serve = false;
    server.adopt(std::move(connection));
}

void Daemon::Impl::start_io() {
    signals.async_wait([this](const boost::system::error_code& error, int) {
        if (!error) asked_to_stop.set_value();
    });
    apps.on_returned([this](http::Connection connection) { adopt(std::move(connection)); });
    asio::post(io, [this] {
        answers = true;
        for (auto& connection : std::exchange(early, {})) adopt(std::move(connection));
        standby.start(server.listener());
    });
    io_thread = std::thread([this] {
        for (;;) try {
                io.run();
                return;
            } catch (const std::exception& error) {
                log::write(log::Level::error, "io_thread_failed", {{"what", error.what()}});
            }
    });
}

void Daemon::Impl::resume_apps() {
    if (!config.domains_unproven) end_skipped_proofs(store);
    apps.recover();
    try {
        sweep_clones(apps.services().config);
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "clones_not_swept", {{"what", error.what()}});
    }
    load(directory, store);
    apps.on_published([this] { load_published(directory, store); });
    apps.resume(directory.projects());
}

std::vector<AppFiles> Daemon::Impl::apps_with_files() const {
    std::vector<AppFiles> out;
    for (const auto& project : directory.projects())
        for (const Env env : kEnvironments) {
            std::string database = apps.database_url(project.id, env);
            if (!database.empty())
                out.push_back({project.id, env, std::move(database),
                               files_folder(config.home, project.id, env)});
        }
    return out;
}

void Daemon::Impl::drain() {
    std::promise<void> ended;
    auto all_ended = ended.get_future();
    auto done = std::make_shared<std::promise<void>>(std::move(ended));
    asio::post(io, [this, done] { server.drain(false, [done] { done->set_value(); }); });
    all_ended.wait_for(kShutdownTime);
}

void Daemon::Impl::stop() {
    files.stop();
    if (!io_thread.joinable()) return;
    asio::post(io, [this] { standby.stop(); });
    drain();
    context.browser.stop();
    workers.join();
    service.join();
    apps.shutdown();
    guard.reset();
    io.stop();
    io_thread.join();
}

Daemon::Daemon(const Config& config, const std::string& master_key, const std::string& admin_url)
    : impl_(std::make_unique<Impl>(config, master_key, admin_url)) {
    warn_of_proxy(config);
    warn_of_apps_domain(config);
    welcome(config, impl_->store);
    release_claimed(config, impl_->store);
    // Connections wait from here on. They are answered only when all apps are known.
    const unsigned short port = impl_->listen();
    impl_->resume_apps();
    impl_->start_io();
    impl_->files.start([impl = impl_.get()] { return impl->apps_with_files(); });
    const std::string host = config.listen_host();
    std::printf("svcd: developer API  http://%s:%u/dev/v1\n", host.c_str(), port);
    std::printf("svcd: apps           http://preview-<slug>.%s:%u\n", config.apps_domain.c_str(),
                port);
    std::printf("svcd: data           %s\n", config.home.c_str());
    std::fflush(stdout);
}

Daemon::~Daemon() = default;

void Daemon::run() {
    impl_->asked_to_stop.get_future().wait();
    std::printf("svcd: stopping\n");
    std::fflush(stdout);
    impl_->stop();
}

}  // namespace svc::devapi
