// svcd: settings, data folder, PostgreSQL, then the daemon itself.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "daemon.hpp"
#include "platform/account/accounts.hpp"
#include "platform/audit.hpp"
#include "platform/factor/factors.hpp"
#include "platform/store.hpp"
#include "postgres/administrator.hpp"
#include "postgres/private_postgres.hpp"
#include "pq/connection.hpp"
#include "read_config.hpp"
#include "rotation.hpp"
#include "service/all_routes.hpp"
#include "settings/config.hpp"
#include "standby/standby.hpp"

namespace {

using namespace svc::devapi;

// systemd's socket activation: one socket, as descriptor 3, meant for this very process.
int handed_listener() {
    constexpr int kFirst = 3;
    const char *pid = std::getenv("LISTEN_PID"), *count = std::getenv("LISTEN_FDS");
    const bool ours =
        pid && count && std::to_string(::getpid()) == pid && std::string(count) == "1";
    if (!ours) return -1;
    ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
    return kFirst;
}

bool lets_in(const std::string& url) { return svc::pq::Connection(url).open(); }

// Ends the private PostgreSQL with us, also where something after its start failed.
class Database {
  public:
    Database(const Config& config, const std::string& key) : url_(config.database_url) {
        if (!url_.empty()) return;
        postgres_.emplace(config.home, key);
        try {
            postgres_->start();
        } catch (...) {
            postgres_->stop();
            throw;
        }
        url_ = postgres_->admin_url();
    }
    ~Database() {
        if (postgres_) postgres_->stop();
    }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    const std::string& admin_url() const { return url_; }

    // Where the server lets nobody in with the old key a rotation has changed its password already.
    void use(const std::string& next) {
        if (!postgres_ || lets_in(url_)) return;
        postgres_->use_key(next);
        url_ = postgres_->admin_url();
    }
    // The rotation has ended: the next key is the one.
    void rotated(const std::string& next) {
        if (!postgres_) return;
        postgres_->use_key(next);
        url_ = postgres_->admin_url();
    }

    // Call it after the server has accepted the password.
    void shut_others_out() const {
        if (postgres_) close_common_databases(url_);
    }

  private:
    std::string url_;
    std::optional<PrivatePostgres> postgres_;
};

void run(const Config& config) {
    make_home(config.home);
    const HomeLock lock(config.home);
    std::string key = master_key(config.master_key_file);
    Database database(config, key);
    if (const std::string next = next_master_key(config); !next.empty()) {
        database.use(next);
        reseal_everything(config, key, next, database.admin_url());
        finish_rotation(config);
        database.rotated(next);
        key = next;
    }
    database.shut_others_out();
    Daemon daemon(config, key, database.admin_url());
    daemon.run();
}

// Beside a svcd that runs on this data folder, or without one.
int reset_factor(const Config& config) {
    if (!std::filesystem::exists(config.master_key_file))
        throw std::invalid_argument(
            "There is no " + config.master_key_file +
            ", so there are no accounts yet. Set SVC_HOME to the data folder.");
    const std::string key = master_key(config.master_key_file);
    std::optional<HomeLock> lock;
    std::optional<Database> database;
    std::string url = config.database_url;
    try {
        lock.emplace(config.home);
        database.emplace(config, key);
        url = database->admin_url();
    } catch (const HomeInUse&) {
        if (url.empty()) url = PrivatePostgres(config.home, key).admin_url();
    }
    Store store(url, 1);
    if (!reset_factors(store, config.reset_factor)) {
        std::fprintf(stderr, "svcd: there is no account %s\n", config.reset_factor.c_str());
        return 1;
    }
    AuditEntry entry;
    entry.email = normal_email(config.reset_factor);
    entry.action = "svcd --reset-factor";
    entry.address = "local";
    entry.status = 200;
    record(store, entry);
    std::printf("svcd: removed the second factors of %s and ended its sessions\n",
                entry.email.c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--routes") {
        std::puts(svc::devapi::routes_text().c_str());
        return 0;
    }
    // svcd starts itself in this way: devapi/standby.
    if (argc == 3 && std::string_view(argv[1]) == "--control") {
        const char* user = std::getenv("SVC_APP_USER");
        return run_standby(argv[2], user ? user : "");
    }
    std::signal(SIGPIPE, SIG_IGN);
    const int listener = handed_listener();
    // Close what the starter left open (locks, pipes): otherwise svcd and its children would hold
    // it for days.
    ::close_range(listener < 0 ? 3 : listener + 1, ~0u, 0);
    try {
        Config config = read_config(argc, argv);
        if (!config.reset_factor.empty()) return reset_factor(config);
        take_listener(config, listener);
        run(config);
        return 0;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "svcd: %s\n", error.what());
        return 2;
    } catch (const std::system_error& error) {
        const bool taken = error.code() == std::errc::address_in_use;
        std::fprintf(
            stderr, "svcd: %s%s\n", error.what(),
            taken ? ". Another program listens there: stop it, or set another SVC_LISTEN." : "");
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "svcd: %s\n", error.what());
        return 1;
    }
}
