#include "common/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace svc::devapi {
namespace {

// Ours holds passwords, and may be read by the user that the child becomes.
constexpr const char* kPassedOn[] = {"PATH", "LANG", "LC_ALL", "TZ"};

std::vector<std::string> environment_of(const Child& child) {
    std::vector<std::string> out;
    for (const char* name : kPassedOn) {
        if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
    }
    for (const auto& [name, value] : child.environment) out.push_back(name + "=" + value);
    return out;
}

// Between fork and exec: only calls that are safe there. Never returns.
[[noreturn]] void become(const Child& child, int output, char** argv, char** environment) {
    const UnixUser& user = child.user;
    ::setsid();
    ::dup2(child.input < 0 ? ::open("/dev/null", O_RDONLY) : child.input, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::close_range(3, ~0u, 0);  // the parent's sockets must not live on in it
    std::signal(SIGPIPE, SIG_DFL);
    if (!user.name.empty() &&
        (::setgroups(1, &user.gid) != 0 || ::setgid(user.gid) != 0 || ::setuid(user.uid) != 0))
        ::_exit(126);
    if (::chdir("/") != 0) ::_exit(126);
    ::execve(argv[0], argv, environment);
    ::_exit(127);
}

}  // namespace

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (auto& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

UnixUser find_user(const std::string& name) {
    if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
        const auto number = static_cast<unsigned>(std::stoul(name));
        return {name, number, number};
    }
    const passwd* entry = ::getpwnam(name.c_str());
    if (!entry) throw std::runtime_error("There is no unix user '" + name + "' on this machine.");
    return {name, entry->pw_uid, entry->pw_gid};
}

pid_t spawn(const Child& child) {
    std::vector<std::string> arguments = child.argv, variables = environment_of(child);
    std::vector<char*> argv = pointers(arguments), environment = pointers(variables);
    const std::string file = child.output.empty() ? "/dev/null" : child.output;
    const int output =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (output < 0) throw std::system_error(errno, std::generic_category(), "Cannot open " + file);
    const pid_t pid = ::fork();
    if (pid == 0) become(child, output, argv.data(), environment.data());
    const int error = errno;
    ::close(output);
    if (pid < 0)
        throw std::system_error(error, std::generic_category(), "Cannot start " + child.argv[0]);
    return pid;
}

bool run_to_end(const Child& child) {
    const pid_t pid = spawn(child);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string last_lines(const std::string& file, std::size_t bytes) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) return {};
    const auto size = static_cast<std::size_t>(in.tellg());
    const std::size_t count = std::min(size, bytes);
    std::string text(count, '\0');
    in.seekg(static_cast<std::streamoff>(size - count));
    in.read(text.data(), static_cast<std::streamsize>(count));
    return text;
}

}  // namespace svc::devapi
