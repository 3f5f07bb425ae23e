#include "cli/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace svc::cli {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void make_folders(const std::filesystem::path& folder, FileAccess access) {
    if (folder.empty() || std::filesystem::exists(folder)) return;
    make_folders(folder.parent_path(), access);
    const mode_t mode = access == FileAccess::owner_only ? 0700 : 0777;
    if (::mkdir(folder.c_str(), mode) != 0 && errno != EEXIST) {
        fail("cannot make the folder " + folder.string());
    }
}

mode_t usual_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

void write_all(int file, std::string_view text, const std::string& name) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("cannot write " + name);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return std::nullopt;
    if (file < 0) fail("cannot read " + path.string());
    std::string text;
    char buffer[16384];
    ssize_t got = 0;
    while ((got = ::read(file, buffer, sizeof buffer)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const int reason = errno;
            ::close(file);
            errno = reason;
            fail("cannot read " + path.string());
        }
        text.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(file);
    return text;
}

void write_file(const std::filesystem::path& path, std::string_view text, FileAccess access) {
    make_folders(path.parent_path(), access);
    std::string temporary = path.string() + ".XXXXXX";
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);  // mode 0600
    if (file < 0) fail("cannot write beside " + path.string());
    try {
        write_all(file, text, path.string());
        if (access == FileAccess::usual && ::fchmod(file, usual_mode()) != 0)
            fail("cannot set the mode");
        if (::fsync(file) != 0) fail("cannot write " + path.string());
        if (::rename(temporary.c_str(), path.c_str()) != 0) fail("cannot write " + path.string());
    } catch (...) {
        ::close(file);
        ::unlink(temporary.c_str());
        throw;
    }
    ::close(file);
}

}  // namespace svc::cli
