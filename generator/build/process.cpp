#include "build/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "build/sandbox.hpp"

namespace svc::build {
namespace {

constexpr int kSignalled = 128;
constexpr rlim_t kMaxFile = rlim_t{1} << 30;
constexpr char kMissing[] = "The program cannot be started.\n";

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// The arguments of execve, made before the fork: the child of a program with threads may not
// allocate.
struct Prepared {
    std::vector<char*> argv, env;
    std::vector<std::string> words, env_texts;

    explicit Prepared(const Child& child)
        : words(child.sandbox ? in_sandbox(child) : child.argv),
          env_texts{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C", "LC_ALL=C",
                    "TMPDIR=" + (child.writable.empty() ? child.folder : child.writable)} {
        for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
        for (const auto& word : env_texts) env.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        env.push_back(nullptr);
    }
};

void bound(int resource, rlim_t value) {
    const rlimit limit{value, value};
    setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// Async-signal-safe calls only.
[[noreturn]] void become(const Child& child, const Prepared& prepared, int output) {
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    const int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(127);
    close_range(3, ~0U, 0);
    bound(RLIMIT_AS, rlim_t{child.memory_mb} << 20);
    bound(RLIMIT_CPU, child.seconds);
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, kMaxFile);
    umask(022);  // what one makes another one reads
    if (chdir(child.folder.c_str()) != 0) _exit(127);
    execve(prepared.argv[0], prepared.argv.data(), prepared.env.data());
    [[maybe_unused]] const auto written = write(2, kMissing, sizeof kMissing - 1);
    _exit(127);
}

// Reads until every writer is gone or the time is over; keeps the beginning, drops the rest.
bool read_all(int fd, std::chrono::steady_clock::time_point deadline, std::string& output) {
    std::array<char, 16384> buffer;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        pollfd waiting{fd, POLLIN, 0};
        if (poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got == 0) return true;
        if (got < 0) {
            if (errno == EINTR) continue;
            return true;
        }
        const std::size_t room = kMaxOutput - output.size();
        output.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    }
}

int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

Ended run(const Child& child) {
    if (child.sandbox) open_for_sandbox(child);
    const Prepared prepared(child);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    const pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        fail("fork");
    }
    if (pid == 0) become(child, prepared, ends[1]);
    setpgid(pid, pid);  // here too: whichever of the two runs first
    close(ends[1]);

    Ended ended;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(child.seconds);
    ended.timed_out = !read_all(ends[0], deadline, ended.output);
    close(ends[0]);
    // Before the leader is reaped, so that its number still means this group.
    if (ended.timed_out) kill(-pid, SIGKILL);
    const int status = wait_for(pid);
    ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    // bubblewrap reports a signal of the program inside in this way.
    if (child.sandbox && WIFEXITED(status) && WEXITSTATUS(status) > kSignalled)
        ended.signal = WEXITSTATUS(status) - kSignalled;
    ended.ok = !ended.timed_out && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended;
}

}  // namespace svc::build
