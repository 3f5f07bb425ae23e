// The data folder: who may enter it, its key, its lock.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "settings/config.hpp"

namespace svc::devapi {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::string read_whole(int fd, const std::string& file) {
    std::string text(4096, '\0');
    const ssize_t size = ::read(fd, text.data(), text.size());
    if (size < 0) fail("Cannot read " + file);
    text.resize(static_cast<std::size_t>(size));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    return text;
}

// Written beside its place and renamed, so that a crash leaves no half of it behind.
void make_secret(const std::string& file) {
    const std::string fresh = file + ".new";
    const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) fail("Cannot make " + fresh);
    const std::string text = base::hex(base::random_bytes(32)) + "\n";
    const bool written =
        ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(fd) == 0;
    ::close(fd);
    if (!written || ::rename(fresh.c_str(), file.c_str()) != 0) fail("Cannot write " + file);
}

}  // namespace

// Only svcd reads it. If svcd is root, PostgreSQL and app servers are users of their own, who pass
// through it to "run", "files" and "postgres" and can enter no other folder; compilers read files
// of svcd only in folders that they are shown, so its files keep the usual mode.
void make_home(const std::string& home) {
    namespace fs = std::filesystem;
    const bool root = ::geteuid() == 0;
    ::umask(root ? 022 : 077);
    fs::create_directories(home);
    if (::chmod(home.c_str(), root ? 0711 : 0700) != 0) fail("Cannot set the mode of " + home);
    for (const char* name : {"projects", "cache", "run", "files"})
        fs::create_directories(home + "/" + name);
    for (const auto& entry : fs::directory_iterator(home)) {
        const std::string name = entry.path().filename();
        const bool file_link = entry.is_symlink() && !entry.is_directory();
        if (name == "postgres" || file_link) continue;
        const mode_t mode = (name == "run" || name == "files") && root ? 0711
                            : entry.is_directory()                     ? 0700
                                                                       : 0600;
        if (::chmod(entry.path().c_str(), mode) != 0)
            fail("Cannot set the mode of " + entry.path().string());
    }
}

std::string master_key(const std::string& file) {
    int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        make_secret(file);
        fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0) fail("Cannot open the master key " + file);
    struct stat info {};
    ::fstat(fd, &info);
    const std::string text = read_whole(fd, file);
    ::close(fd);
    if (info.st_mode & 077)
        throw std::runtime_error("The master key " + file +
                                 " can be read by other users. Run chmod 600 on it.");
    std::string key = base::unhex(text).value_or("");
    if (key.size() != 32)
        throw std::runtime_error("The master key " + file + " must hold 64 hexadecimal digits.");
    return key;
}

// The id has the machine's name and the path, so a copy of the folder has another id.
std::string data_folder_id(const std::string& home) {
    const std::string file = home + "/id";
    if (!std::filesystem::exists(file)) make_secret(file);
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail("Cannot open " + file);
    const std::string text = read_whole(fd, file);
    ::close(fd);
    char machine[256] = {};
    ::gethostname(machine, sizeof machine - 1);
    return machine + (":" + home + ":") + text.substr(0, 16);
}

HomeLock::HomeLock(const std::string& home) {
    const std::string file = home + "/svcd.lock";
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd_ < 0) fail("Cannot open " + file);
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd_);
        throw HomeInUse("Another svcd runs on " + home + ". Stop it, or set another SVC_HOME.");
    }
}

HomeLock::~HomeLock() { ::close(fd_); }

}  // namespace svc::devapi
