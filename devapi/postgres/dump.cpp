#include "postgres/dump.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/uuid.hpp"
#include "common/child.hpp"
#include "postgres/conninfo.hpp"

extern "C" {  // which glibc 2.36 forgets in this header
#include <sys/pidfd.h>
}

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetpriv = "/usr/bin/setpriv";

// True once it has ended; false if it ran out of time, and was ended.
bool await(pid_t pid, std::chrono::seconds limit, int& status) {
    const int fd = ::pidfd_open(pid, 0);
    const auto until = std::chrono::steady_clock::now() + limit;
    bool ended = false;
    while (!ended && fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            until - std::chrono::steady_clock::now());
        if (left.count() <= 0) break;
        pollfd wait{fd, POLLIN, 0};
        ended = ::poll(&wait, 1, static_cast<int>(left.count())) > 0;
    }
    if (fd >= 0) ::close(fd);
    if (!ended) ::kill(pid, SIGKILL);  // the id is still the child's: nobody else waits for it
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return ended;
}

// A file that its destructor deletes.
struct Scratch {
    std::string path;
    ~Scratch() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
};

// Its own words, without the hints on how to call it.
std::string complaint(const std::string& log, const std::string& program) {
    std::string words = last_lines(log);
    while (!words.empty() && words.back() == '\n') words.pop_back();
    return words.empty() ? program + " could not be run." : words;
}

// The password travels in the environment, which others cannot read; arguments everybody can. A
// program whose caller is gone ends too: setpriv asks the kernel for that.
void run_program(const std::string& program, std::vector<std::string> arguments,
                 const std::string& url, const std::string& log, std::chrono::seconds limit) {
    Child child;
    if (fs::exists(kSetpriv)) child.argv = {kSetpriv, "--pdeathsig", "KILL", "--"};
    child.argv.push_back(newest_postgres_programs() + "/" + program);
    child.argv.insert(child.argv.end(), arguments.begin(), arguments.end());
    child.argv.push_back("--dbname=" + without_setting(url, "password"));
    child.environment = {{"PGPASSWORD", conninfo_value(url, "password")},
                         {"PGCONNECT_TIMEOUT", "20"}};
    const Scratch output{log};
    child.output = log;
    int status = 0;
    if (!await(spawn(child), limit, status))
        throw DumpFailed(program + " took longer than " + std::to_string(limit.count()) +
                         " seconds and was ended.");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw DumpFailed(complaint(log, program));
}

void flush_to_disk(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool flushed = fd >= 0 && ::fsync(fd) == 0;
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (!flushed) throw std::system_error(error, std::generic_category(), "Cannot flush " + path);
}

}  // namespace

std::string newest_postgres_programs() {
    const fs::path root = "/usr/lib/postgresql";
    int newest = 0;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(root, absent))
        if (fs::exists(entry.path() / "bin/pg_dump"))
            newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
    if (newest) return (root / std::to_string(newest) / "bin").string();
    if (fs::exists("/usr/bin/pg_dump")) return "/usr/bin";
    throw std::runtime_error("pg_dump is not installed. Install the package postgresql-client.");
}

void dump_database(const std::string& url, const std::string& file, const DumpOptions& options) {
    // The file is created first, with its final permissions, so nobody else can ever read it.
    const std::string partial = file + ".partial";
    const int fd =
        ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "Cannot write " + partial);
    ::close(fd);
    const Scratch unfinished{partial};  // gone by its name once it has the other
    std::vector<std::string> arguments{"--format=custom",
                                       "--compress=" + std::to_string(options.compression),
                                       "--lock-wait-timeout=30s", "--file=" + partial};
    if (options.schema_only) arguments.emplace_back("--schema-only");
    if (!options.snapshot.empty()) arguments.push_back("--snapshot=" + options.snapshot);
    // A function in it belongs to another role than the schema does, which only a superuser could
    // load. Each apply makes it (migrate/caller_rights.cpp).
    arguments.emplace_back("--exclude-schema=svc_as");
    for (const auto& pattern : options.without_rows)
        arguments.push_back("--exclude-table-data=" + pattern);
    run_program("pg_dump", std::move(arguments), url, file + ".log", options.limit);
    flush_to_disk(partial);
    fs::rename(partial, file);
    flush_to_disk(fs::path(file).parent_path().string());
}

void load_database(const std::string& url, const std::string& file, const LoadOptions& options) {
    std::vector<std::string> arguments{"--single-transaction", "--exit-on-error"};
    if (!options.privileges) {
        arguments.emplace_back("--no-owner");
        arguments.emplace_back("--no-privileges");
    }
    if (!fs::exists(file)) throw DumpFailed("There is no file " + file + ".");
    arguments.push_back(file);
    // Several may load from one file at a time.
    run_program("pg_restore", std::move(arguments), url, file + "." + base::new_uuid() + ".log",
                options.limit);
}

}  // namespace svc::devapi
