// svcd: settings, data folder, PostgreSQL, then the daemon itself.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "config.hpp"
#include "daemon.hpp"
#include "http/dev_service.hpp"
#include "postgres/private_postgres.hpp"

namespace {

using namespace svc::devapi;

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

  private:
    std::string url_;
    std::optional<PrivatePostgres> postgres_;
};

void run(const Config& config) {
    make_home(config.home);
    const HomeLock lock(config.home);
    const std::string key = master_key(config.master_key_file);
    const Database database(config, key);
    Daemon daemon(config, key, database.admin_url());
    daemon.run();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--routes") {
        std::puts(svc::devapi::routes_text().c_str());
        return 0;
    }
    std::signal(SIGPIPE, SIG_IGN);
    // What the starter left open (locks, pipes) must not be held by us and what we start for days.
    ::close_range(3, ~0u, 0);
    try {
        run(read_config(argc, argv));
        return 0;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "svcd: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "svcd: %s\n", error.what());
        return 1;
    }
}
