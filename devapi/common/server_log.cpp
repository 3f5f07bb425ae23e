#include "common/server_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFull = 4 << 20, kKept = 1 << 20, kShown = 4 << 10;
constexpr int kLines = 20;

std::string read_from(const std::string& path, std::uint64_t from) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(from));
    return {std::istreambuf_iterator<char>(file), {}};
}

void keep_log(const std::string& path, std::string_view text) {
    ::unlink(path.c_str());
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return;
    while (!text.empty()) {
        const auto written = ::write(fd, text.data(), text.size());
        if (written <= 0) break;  // what is kept is short then
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    ::close(fd);
}

}  // namespace

int open_log(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), path);
    return fd;
}

std::uint64_t log_size(const std::string& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error ? 0 : size;
}

std::string log_tail(const std::string& path, std::uint64_t from) {
    const auto size = log_size(path);
    if (from > size) from = 0;  // trimmed since
    std::string text = read_from(path, std::max(from, size - std::min(size, kShown)));
    while (text.ends_with('\n')) text.pop_back();
    std::size_t start = text.size();
    for (int line = 0; line < kLines && start != std::string::npos && start > 0; ++line)
        start = text.rfind('\n', start - 1);
    return start == std::string::npos || start == 0 ? text : text.substr(start + 1);
}

void trim_log(const std::string& path) {
    if (log_size(path) < kFull) return;
    // The folder may be the server's own: no link in it leads us anywhere.
    const int log = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (log < 0) return;
    std::string last(kKept, '\0');
    const auto size = ::lseek(log, 0, SEEK_END);
    const auto got = ::pread(log, last.data(), last.size(),
                             std::max<off_t>(0, size - static_cast<off_t>(kKept)));
    last.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    keep_log(path + ".1", last);
    [[maybe_unused]] const int cut = ::ftruncate(log, 0);
    ::close(log);
}

}  // namespace svc::devapi
