#include "apps/process/spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/process/process_files.hpp"
#include "common/child.hpp"
#include "common/server_log.hpp"
#include "log/log.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotTheUser = "svcd: could not become the user of app servers\n";
constexpr std::string_view kNotExecuted = "svcd: the server's binary could not be executed\n";

[[noreturn]] void give_up(std::string_view why) {
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, why.data(), why.size());
    ::_exit(127);
}

// A program, found in its folder: the way there is closed to the user that it runs as.
struct Program {
    explicit Program(const std::string& path)
        : folder(::open(fs::path(path).parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
          name(fs::path(path).filename()) {}
    ~Program() { ::close(folder); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    const int folder;
    const std::string name;
};

// Between fork and exec of a program with threads: system calls alone, nothing that allocates or
// locks. The set…id calls go past glibc, whose own would signal threads that are not there.
[[noreturn]] void become(const UnixUser& account, int null, int log, const Program& program,
                         char* const* argv, char* const* envp) {
    constexpr int kFolder = 3;
    ::setsid();
    ::umask(077);
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    if (program.folder != kFolder) ::dup3(program.folder, kFolder, O_CLOEXEC);
    ::close_range(kFolder + 1, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!account.name.empty() &&
        (::syscall(SYS_setgroups, 0, nullptr) != 0 ||
         ::syscall(SYS_setresgid, account.gid, account.gid, account.gid) != 0 ||
         ::syscall(SYS_setresuid, account.uid, account.uid, account.uid) != 0)) {
        give_up(kNotTheUser);
    }
    ::execveat(kFolder, program.name.c_str(), argv, envp, 0);
    give_up(kNotExecuted);
}

bool is_owned_by(pid_t pid, const UnixUser& account) {
    struct stat owner {};
    return ::stat(("/proc/" + std::to_string(pid)).c_str(), &owner) == 0 &&
           owner.st_uid == (account.name.empty() ? geteuid() : account.uid);
}

}  // namespace

pid_t spawn_server(const Launch& launch, const std::string& socket) {
    std::vector<std::string> arguments{launch.name.empty() ? launch.binary : launch.name,
                                       "--control", socket};
    std::vector<std::string> environment = launch.environment;
    const auto argv = pointers(arguments), envp = pointers(environment);
    const UnixUser account = unix_account(launch.user);
    const int log = open_log(launch.log);
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const Program program(launch.binary);
    // Our handlers must not run in the child.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) become(account, null, log, program, argv.data(), envp.data());
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(null);
    ::close(log);
    if (pid < 0) throw std::system_error(error, std::generic_category(), "fork");
    return pid;
}

void let_in_group(const std::string& socket, const Launch& launch) {
    if (launch.group.empty()) return;
    // Through its descriptor: the app owns the folder and could replace the file.
    const int fd = ::open(socket.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    struct stat is {};
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    const bool its_own =
        ::fstat(fd, &is) == 0 && S_ISSOCK(is.st_mode) && is.st_uid == unix_account(launch.user).uid;
    const bool done = its_own &&
                      ::fchownat(fd, "", static_cast<uid_t>(-1), unix_account(launch.group).gid,
                                 AT_EMPTY_PATH) == 0 &&
                      ::chmod(path.c_str(), 0660) == 0;
    ::close(fd);
    if (!done) log::write(log::Level::warning, "standby_not_let_in", {{"socket", socket}});
}

bool serves_same_app(pid_t pid, const Launch& launch) {
    const fs::path folder = fs::weakly_canonical(launch.binary).parent_path();
    return is_owned_by(pid, unix_account(launch.user)) &&
           fs::path(executable_of(pid)).parent_path() == folder;
}

bool was_started_as(pid_t pid, const Launch& launch) {
    std::string environment;
    for (const auto& entry : launch.environment) environment += entry + '\0';
    return is_owned_by(pid, unix_account(launch.user)) &&
           executable_of(pid) == fs::weakly_canonical(launch.binary).string() &&
           process_file(pid, "environ") == environment;
}

}  // namespace svc::devapi
