#include "build/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace svc::build {
namespace {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{512} << 20;
constexpr auto kDay = std::chrono::hours(24);
constexpr auto kMinute = std::chrono::minutes(1);

struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t bytes = 0;
    std::uintmax_t links = 0;
};

// Another build may remove a file at any time: what cannot be read is not there.
std::vector<Kept> files_of(const fs::path& folder) {
    std::vector<Kept> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        Kept kept{entry.path(), entry.last_write_time(error), 0, 0};
        if (error) continue;
        kept.bytes = entry.file_size(error);
        if (error) continue;
        kept.links = entry.hard_link_count(error);
        if (!error) files.push_back(std::move(kept));
    }
    std::sort(files.begin(), files.end(),
              [](const Kept& a, const Kept& b) { return a.used < b.used; });
    return files;
}

std::set<fs::path> running() {
    std::set<fs::path> programs;
    std::error_code error;
    for (const auto& process : fs::directory_iterator("/proc", error)) {
        std::error_code gone;
        const auto program = fs::read_symlink(process.path() / "exe", gone);
        if (!gone) programs.insert(program);
    }
    return programs;
}

template <class MayGo>
void keep_to_bound(const fs::path& folder, MayGo may_go) {
    const auto files = files_of(folder);
    std::uintmax_t bytes = 0;
    for (const Kept& file : files) bytes += file.bytes;
    for (const Kept& file : files) {
        if (bytes <= kMostBytes) return;
        std::error_code error;
        if (may_go(file) && fs::remove(file.path, error)) bytes -= file.bytes;
    }
}

}  // namespace

Cache::Cache(const std::string& folder) : folder_(fs::absolute(folder).string()) {
    for (const char* part : {"/objects", "/bin", "/tmp"}) fs::create_directories(folder_ + part);
}

// An empty file was left by a crash of the machine, before its content was on the disk.
bool Cache::use(const std::string& path) {
    std::error_code error;
    if (fs::file_size(path, error) == 0 || error) return false;
    fs::last_write_time(path, Clock::now(), error);
    return !error;
}

void Cache::to_disk(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && ::fsync(fd) == 0;
    const int fault = errno;
    if (fd >= 0) ::close(fd);
    if (!done) throw std::system_error(fault, std::generic_category(), path);
}

void Cache::install(const std::string& from, const std::string& to) {
    struct stat made {};
    if (::lstat(from.c_str(), &made) != 0 || !S_ISREG(made.st_mode) || made.st_nlink != 1)
        throw std::runtime_error(from + " is not a file that a compiler makes");
    if (made.st_uid != ::geteuid() && ::lchown(from.c_str(), ::geteuid(), ::getegid()) != 0)
        throw std::system_error(errno, std::generic_category(), from);
    fs::rename(from, to);
}

void Cache::sweep() const {
    const auto now = Clock::now();
    keep_to_bound(folder_ + "/objects", [](const Kept&) { return true; });
    // Another run of esbuild makes them again; what was made just now is about to be read.
    keep_to_bound(folder_ + "/scripts",
                  [&](const Kept& file) { return now - file.used > kMinute; });
    const auto in_use = running();
    keep_to_bound(folder_ + "/bin", [&](const Kept& file) {
        return now - file.used > kDay && file.links == 1 && !in_use.contains(file.path);
    });
    // Left by builds that were killed.
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ + "/tmp", error)) {
        std::error_code gone;
        const auto made = entry.last_write_time(gone);
        if (!gone && now - made > kDay) fs::remove_all(entry.path(), gone);
    }
}

WorkFolder::WorkFolder(const Cache& cache) : path_(cache.folder() + "/tmp/XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), path_);
    }
}

WorkFolder::~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace svc::build
