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
#include "apps/process/app_places.hpp"
#include "apps/process/app_users.hpp"
#include "base/crypto.hpp"
#include "log/log.hpp"
#include "operate/file/files_watch.hpp"
#include "outgoing/fetch.hpp"
#include "platform/keys/keys.hpp"
#include "platform/project/domains.hpp"
#include "service/dev_service.hpp"
#include "standby/standby_supervisor.hpp"
#include "verify/verify.hpp"
#include "welcome.hpp"

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
        verification::sweep_clones(apps.services().config);
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
    warn_of_settings(config);
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
