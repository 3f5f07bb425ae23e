#include "file/disk/abandoned.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "file/disk/upload_file.hpp"

namespace svc::file {
namespace {

// The lock is given back at once: whoever wants it meanwhile waits for it, or tries again.
bool is_free(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return false;
    const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    ::close(fd);
    return free;
}

}  // namespace

LeftParts left_parts(const std::string& root) {
    namespace fs = std::filesystem;
    LeftParts out;
    std::error_code ignored;
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const auto& entry : fs::directory_iterator(root + "/tmp", ignored)) {
        std::error_code gone;
        const auto time = entry.last_write_time(gone);
        if (gone) continue;
        const std::string name = entry.path().filename();
        if (time < old)
            out.old.push_back(name);
        else if (!is_unfinished(name) && is_free(entry.path()))
            out.free.push_back(name);
    }
    return out;
}

std::vector<std::string> Abandoned::among(const std::vector<std::string>& free,
                                          Clock::time_point now) {
    std::vector<std::string> out;
    std::unordered_map<std::string, Clock::time_point> still;
    for (const std::string& part : free) {
        const auto known = since_.find(part);
        const Clock::time_point since = known == since_.end() ? now : known->second;
        if (now - since >= kWhile) out.push_back(part);
        still.emplace(part, since);
    }
    since_ = std::move(still);
    return out;
}

}  // namespace svc::file
