#include "run/engine/process_life.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/number.hpp"
#include "base/parts.hpp"
#include "base/read_file.hpp"

namespace svc::run {
namespace {

constexpr std::size_t kBootId = 36;  // a uuid, and a line break behind it
// Words of /proc/<pid>/stat after the name of the program. The first one is empty.
constexpr std::size_t kState = 1, kTicks = 20;

struct Stat {
    bool ended = false;  // a zombie: its parent has not waited for it yet
    std::uint64_t ticks = 0;
};

std::string link_of(const char* path) {
    std::error_code none;
    return std::filesystem::read_symlink(path, none).string();
}

// One read: if the process ends meanwhile, it gives an error or the whole text.
std::string read_stat_file(pid_t pid) {
    const std::string path = "/proc/" + std::to_string(pid) + "/stat";
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return {};
    std::array<char, 2048> buffer;
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    ::close(fd);
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

// None: it cannot be read.
std::optional<Stat> read_stat(pid_t pid) {
    const std::string text = read_stat_file(pid);
    const std::size_t name_end = text.rfind(')');  // a name may have blanks and brackets
    if (name_end == std::string::npos) return std::nullopt;
    const auto words = base::split(std::string_view(text).substr(name_end + 1), ' ');
    if (words.size() <= kTicks) return std::nullopt;
    Stat out;
    out.ended = words[kState] == "Z" || words[kState] == "X";
    out.ticks = base::number_of<std::uint64_t>(words[kTicks]);
    return out;
}

// With the namespace of time, because /proc gives the beginning of a process by that clock.
std::string machine_of_self() {
    const auto boot = base::read_file("/proc/sys/kernel/random/boot_id");
    const std::string pids = link_of("/proc/self/ns/pid");
    const bool shown = link_of("/proc/self") == std::to_string(::getpid());
    if (!boot || boot->size() < kBootId || pids.empty() || !shown) return {};
    return boot->substr(0, kBootId) + ' ' + pids + ' ' + link_of("/proc/self/ns/time");
}

}  // namespace

ProcessLife own_life() {
    ProcessLife out{machine_of_self(), ::getpid(), 0};
    const auto stat = read_stat(out.pid);
    if (stat)
        out.ticks = stat->ticks;
    else
        out.machine.clear();
    return out;
}

// kill() also knows processes that /proc hides.
bool has_ended(pid_t pid, std::uint64_t ticks) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    const auto stat = read_stat(pid);
    return stat && (stat->ended || stat->ticks != ticks);
}

}  // namespace svc::run
