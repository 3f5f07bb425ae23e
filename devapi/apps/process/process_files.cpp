#include "apps/process/process_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDeleted = " (deleted)";  // the mark of a deleted file in /proc

std::string path_of(pid_t pid, const char* name) {
    return "/proc/" + std::to_string(pid) + "/" + name;
}

}  // namespace

std::string process_file(pid_t pid, const char* name) {
    std::string text;
    const int fd = ::open(path_of(pid, name).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return text;
    std::array<char, 4096> buffer;
    ssize_t got = 0;
    while ((got = ::read(fd, buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(fd);
    return text;
}

std::string process_link(pid_t pid, const char* name) {
    std::error_code gone;
    return fs::read_symlink(path_of(pid, name), gone).string();
}

std::string executable_of(pid_t pid) {
    std::string exe = process_link(pid, "exe");
    if (exe.ends_with(kDeleted)) exe.resize(exe.size() - kDeleted.size());
    return exe;
}

}  // namespace svc::devapi
