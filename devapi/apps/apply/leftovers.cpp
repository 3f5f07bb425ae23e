// Finds the remaining processes and folders of an earlier svcd.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "apps/apply/recover.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/process_files.hpp"
#include "log/log.hpp"

extern "C" {  // which glibc 2.36 forgets in this header
#include <sys/pidfd.h>
}

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

std::vector<pid_t> processes() {
    std::vector<pid_t> out;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos)
            out.push_back(std::stoi(name));
    }
    return out;
}

// The path after --control of an app server's process; empty if svcd started no such process.
std::string control_socket(pid_t pid) {
    const std::string words = process_file(pid, "cmdline");
    const std::string flag = std::string("\0--control\0", 11);
    const auto at = words.find(flag);
    return at == std::string::npos ? "" : words.c_str() + at + flag.size();
}

// Through a pidfd: the number may belong to another process after the check.
template <class Test>
void kill_if(pid_t pid, Test test) {
    const int fd = ::pidfd_open(pid, 0);
    if (fd < 0) return;
    if (test() && ::pidfd_send_signal(fd, SIGKILL, nullptr, 0) == 0)
        log::write(log::Level::warning, "leftover_ended", {{"pid", std::to_string(pid)}});
    ::close(fd);
}

}  // namespace

void clear_leftovers(const AppsConfig& config, const std::vector<AppId>& kept) {
    const std::string sockets = sockets_folder(config);
    const std::string builds = fs::weakly_canonical(config.build.cache + "/tmp").string() + "/";
    const auto goes_on = [&](const std::string& socket) {
        for (const auto& [project, env] : kept)
            if (socket.starts_with(socket_stem(config, project, env) + "-"))
                return fs::exists(socket);  // who does not listen yet was never live
        return false;
    };
    for (const pid_t pid : processes())
        kill_if(pid, [&] {
            const std::string socket = control_socket(pid);
            if (socket.starts_with(sockets)) return !goes_on(socket);
            return (process_link(pid, "cwd") + "/").starts_with(builds);
        });
    std::error_code ignored;  // what stays costs room, nothing else
    // Sockets and traces of a svcd that kept those of all apps in one folder.
    for (const auto& entry : fs::directory_iterator(sockets, ignored))
        if (!entry.is_directory(ignored)) fs::remove(entry.path(), ignored);
    for (const auto& entry : fs::directory_iterator(config.build.cache + "/tmp", ignored))
        fs::remove_all(entry.path(), ignored);
}

}  // namespace svc::devapi
