#include "apps/server_log.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
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

}  // namespace

int open_log(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
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
    const auto size = log_size(path);
    if (size < kFull) return;
    std::ofstream(path + ".1", std::ios::binary) << read_from(path, size - kKept);
    std::error_code ignored;
    fs::resize_file(path, 0, ignored);
}

}  // namespace svc::devapi
