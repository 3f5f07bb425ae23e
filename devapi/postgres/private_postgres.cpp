#include "postgres/private_postgres.hpp"

#include <libpq-fe.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "common/server_log.hpp"
#include "log/log.hpp"
#include "postgres/scram.hpp"
#include "pq/session.hpp"

namespace svc::devapi {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAdmin = "svc_admin";
constexpr std::size_t kLongestSocketFolder = 80;  // the kernel allows 107 bytes for the whole path
constexpr auto kStartTime = std::chrono::seconds(60);
constexpr auto kStopTime = std::chrono::seconds(30);
constexpr auto kLook = std::chrono::milliseconds(200);
constexpr auto kLongestPause = std::chrono::milliseconds(5000);

void give(const std::string& path, mode_t mode, const UnixUser& user) {
    if (!user.name.empty() && ::lchown(path.c_str(), user.uid, user.gid) != 0)
        throw std::system_error(errno, std::generic_category(),
                                "Cannot give " + path + " to " + user.name);
    if (::chmod(path.c_str(), mode) != 0)
        throw std::system_error(errno, std::generic_category(), "Cannot set the mode of " + path);
}

// For a data folder whose path is too long for a socket. An existing folder must belong to
// svcd's user or to PostgreSQL's, because everybody may write to /tmp.
std::string short_folder(const std::string& home, const UnixUser& user) {
    std::string path =
        "/tmp/svc-" + std::to_string(::geteuid()) + "-" + base::sha256_hex(home).substr(0, 8);
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        throw std::system_error(errno, std::generic_category(), "Cannot make " + path);
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
        (info.st_uid != ::geteuid() && (user.name.empty() || info.st_uid != user.uid)))
        throw std::runtime_error(path + " belongs to another user. Set a shorter SVC_HOME.");
    return path;
}

// What callers wrote stands in no log: not in a statement, its parameters or the details of an
// error. An error's own message quotes values too ("invalid input syntax …: "…""), so those that
// end a statement alone are left to who sent it. Given on the command line, so that no file and no
// ALTER SYSTEM says otherwise.
constexpr const char* kSettings[] = {"listen_addresses=",
                                     "shared_buffers=128MB",
                                     "max_connections=200",
                                     "jit=off",
                                     "synchronous_commit=on",
                                     "timezone=UTC",
                                     "log_timezone=UTC",
                                     "logging_collector=off",
                                     "log_min_messages=log",
                                     "log_min_error_statement=panic",
                                     "log_error_verbosity=terse",
                                     "log_parameter_max_length=0",
                                     "log_parameter_max_length_on_error=0",
                                     "log_statement=none",
                                     "log_duration=off",
                                     "log_min_duration_statement=-1",
                                     "log_min_duration_sample=-1",
                                     "log_transaction_sample_rate=0"};

// Memory of its own that each process may have, beside what all share. What builds a text of
// gigabytes gets an error; without a bound the machine would end PostgreSQL for everybody. A page
// of rows with large links takes a gigabyte for a moment.
std::string data_limit() {
    constexpr std::uint64_t kLeast = std::uint64_t{512} << 20, kMost = std::uint64_t{1536} << 20;
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return "--data=" + std::to_string(std::clamp(pages * size / 4, kLeast, kMost));
}

std::string admin_password(const std::string& master_key) {
    return base::hex(base::derive_key(master_key, "postgres admin"));
}

std::string first_line(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

// Whether a process has this folder as its own: PostgreSQL's all have their data folder.
bool works_in(const std::string& folder) {
    std::error_code unseen;
    for (const auto& process : fs::directory_iterator("/proc", unseen))
        if (fs::equivalent(process.path() / "cwd", folder, unseen)) return true;
    return false;
}

// `what` it is for, in words.
void execute(const std::string& admin_url, const std::string& sql, const char* what) {
    const pq::Session session(admin_url);
    if (!pq::done(session.run(sql)))
        throw std::runtime_error(std::string("Cannot ") + what + ": " + session.words());
}

void set_password(const std::string& admin_url, const std::string& password) {
    execute(admin_url,
            std::string("alter role ") + kAdmin + " password '" + scram_verifier(password) + "'",
            "set the password of PostgreSQL's svc_admin");
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

void PrivatePostgres::find_binaries() {
    const std::string root = "/usr/lib/postgresql";
    std::string version = first_line(data_ + "/PG_VERSION");
    if (version.empty() && fs::is_directory(root)) {
        int newest = 0;
        for (const auto& entry : fs::directory_iterator(root))
            newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
        version = std::to_string(newest);
    }
    binaries_ = root + "/" + version + "/bin";
    if (!fs::exists(binaries_ + "/postgres") || !fs::exists(binaries_ + "/initdb"))
        throw std::runtime_error("There is no PostgreSQL in " + binaries_ +
                                 ". Install the package postgresql, or set DATABASE_URL.");
}

void PrivatePostgres::make_folders() {
    fs::create_directories(folder_);
    give(folder_, 0700, user_);
    if (socket_folder_.size() > kLongestSocketFolder) {
        socket_folder_ = short_folder(home_, user_);
    } else {
        fs::create_directories(socket_folder_);
        ::chmod((home_ + "/run").c_str(), user_.name.empty() ? 0700 : 0711);
    }
    // App servers of another user reach the socket through it; passwords guard the rest.
    give(socket_folder_, user_.name.empty() ? 0700 : 0711, user_);
}

// initdb works in a folder that is renamed at the end: a cluster in its place is a whole one.
bool PrivatePostgres::make_cluster() {
    if (fs::exists(data_ + "/PG_VERSION")) return false;
    const std::string fresh = folder_ + "/data.new", secret = folder_ + "/password.new";
    const std::string log = home_ + "/initdb.log";
    fs::remove_all(fresh);
    std::ofstream(secret) << "";
    give(secret, 0600, user_);
    std::ofstream(secret) << password_ << '\n';
    const bool made = run_to_end(
        {{binaries_ + "/initdb", "--pgdata=" + fresh, "--encoding=UTF8", "--locale=C.UTF-8",
          "--auth=scram-sha-256", std::string("--username=").append(kAdmin), "--pwfile=" + secret},
         {},
         user_,
         log});
    fs::remove(secret);
    if (!made)
        throw std::runtime_error(
            "initdb could not make the private PostgreSQL in " + folder_ +
            (user_.name.empty() ? ""
                                : " as user " + user_.name + ", which must be able to enter it") +
            ":\n" + last_lines(log));
    fs::rename(fresh, data_);
    fs::remove(log);
    return true;
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

// Where they stay, PostgreSQL's own start says so.
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
    for (const char* setting : kSettings) words.push_back(std::string("--") + setting);
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

void close_common_databases(const std::string& admin_url) {
    execute(admin_url, "revoke all on database postgres, template1 from public",
            "close PostgreSQL's own databases to app servers");
}

void set_admin_password(const std::string& admin_url, const std::string& master_key) {
    set_password(admin_url, admin_password(master_key));
}

std::string PrivatePostgres::admin_url() const {
    return "host='" + socket_folder_ + "' port='5432' user='" + kAdmin + "' password='" +
           password_ + "' dbname='postgres'";
}

}  // namespace svc::devapi
