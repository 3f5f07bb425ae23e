#include "postgres/private_postgres.hpp"

#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "common/server_log.hpp"
#include "log/log.hpp"
#include "postgres/administrator.hpp"
#include "postgres/server_options.hpp"

namespace svc::devapi {
namespace fs = std::filesystem;
namespace {

constexpr auto kStartTime = std::chrono::seconds(60);
constexpr auto kStopTime = std::chrono::seconds(30);
constexpr auto kLook = std::chrono::milliseconds(200);
constexpr auto kLongestPause = std::chrono::milliseconds(5000);

// Whether a process has this folder as its own: PostgreSQL's all have their data folder.
bool works_in(const std::string& folder) {
    std::error_code unseen;
    for (const auto& process : fs::directory_iterator("/proc", unseen))
        if (fs::equivalent(process.path() / "cwd", folder, unseen)) return true;
    return false;
}

}  // namespace

PrivatePostgres::PrivatePostgres(const std::string& home, const std::string& master_key)
    : home_(home),
      folder_(home + "/postgres"),
      data_(folder_ + "/data"),
      log_(folder_ + "/server.log"),
      password_(admin_password(master_key)) {
    if (::geteuid() == 0) user_ = find_user("postgres");
    socket_folder_ = home + "/run/pg";
    find_binaries();
}

// The number in an old pid file may be another program's by now: the private PostgreSQL is the
// process that works in the data folder.
pid_t PrivatePostgres::running_pid() const {
    const pid_t pid = std::atoi(first_line(data_ + "/postmaster.pid").c_str());
    std::error_code gone;
    return pid > 0 && fs::equivalent("/proc/" + std::to_string(pid) + "/cwd", data_, gone) ? pid
                                                                                           : 0;
}

// The lock files of a postmaster that was killed keep others out for as long as its number is in
// the table of processes, be it a dead one's or another program's. Nobody but this svcd starts
// servers here: once no process of the old one is left either, they may go.
bool PrivatePostgres::old_is_gone() const {
    if (works_in(data_)) return false;
    fs::remove(data_ + "/postmaster.pid");
    fs::remove(socket_folder_ + "/.s.PGSQL.5432.lock");
    return true;
}

// If they remain, PostgreSQL reports it at its start.
void PrivatePostgres::wait_for_old() const {
    const auto deadline = std::chrono::steady_clock::now() + kStartTime;
    while (!running_pid() && !old_is_gone() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void PrivatePostgres::launch() {
    std::vector<std::string> words{"/usr/bin/prlimit",
                                   data_limit(),
                                   binaries_ + "/postgres",
                                   "-D",
                                   data_,
                                   "--unix_socket_directories=" + socket_folder_};
    std::ranges::move(server_options(), std::back_inserter(words));
    child_ = spawn({words, {}, user_, log_});
}

void PrivatePostgres::wait_until_ready() {
    const std::string url = admin_url();
    const auto deadline = std::chrono::steady_clock::now() + kStartTime;
    while (PQping(url.c_str()) != PQPING_OK) {
        int status = 0;
        if (child_ && ::waitpid(child_, &status, WNOHANG) == child_) {
            child_ = 0;
            throw std::runtime_error("The private PostgreSQL did not start:\n" + last_lines(log_));
        }
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error("The private PostgreSQL does not answer. Its log is " + log_ +
                                     ".");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void PrivatePostgres::start() {
    make_folders();
    const bool made = make_cluster();
    wait_for_old();
    if (!running_pid()) launch();
    wait_until_ready();
    if (made) set_password(admin_url(), password_);
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

// A killed postmaster leaves backends that end a moment later, and no new one starts before.
void PrivatePostgres::watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    auto pause = kLook;
    while (!woken.wait_for(lock, stop, pause, [&stop] { return stop.stop_requested(); })) {
        trim_log(log_);
        if (child_ && ::waitpid(child_, nullptr, WNOHANG) == child_) child_ = 0;
        if (child_ || running_pid()) {
            pause = kLook;
            continue;
        }
        if (!old_is_gone()) continue;
        log::write(log::Level::error, "postgres_ended", {{"next", "started again"}});
        launch();
        pause = std::min(pause * 2, kLongestPause);
    }
}

void PrivatePostgres::stop() {
    watcher_ = {};  // asks it to stop and waits
    pid_t pid = running_pid();
    if (!pid) pid = child_;
    if (!pid) return;
    ::kill(pid, SIGINT);  // "fast"
    const auto deadline = std::chrono::steady_clock::now() + kStopTime;
    while (std::chrono::steady_clock::now() < deadline) {
        if (child_ && ::waitpid(child_, nullptr, WNOHANG) == child_) child_ = 0;
        if (!child_ && !running_pid()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::fprintf(stderr, "svcd: the private PostgreSQL (pid %d) is still shutting down.\n", pid);
}

void PrivatePostgres::use_key(const std::string& master_key) {
    password_ = admin_password(master_key);
}

std::string PrivatePostgres::admin_url() const {
    return "host='" + socket_folder_ + "' port='5432' user='" + kAdministrator + "' password='" +
           password_ + "' dbname='postgres'";
}

}  // namespace svc::devapi
