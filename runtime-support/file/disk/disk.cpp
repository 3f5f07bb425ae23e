#include "file/disk/disk.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "file/kind/mime.hpp"

namespace svc::file {
namespace {

constexpr std::size_t kThreads = 4;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void make_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail("cannot make " + path);
}

// A new name is on disk only once its folder is.
void flush_folder(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) fail("cannot open " + path);
    const bool done = ::fsync(fd) == 0;
    ::close(fd);
    if (!done) fail("cannot write " + path);
}

// The folder is named by the last digits of the id, which are random; the first ones are the time.
std::string folder_of(const std::string& root, const std::string& id) {
    return root + "/" + id.substr(id.size() - 2);
}

std::string new_name(const std::string& id) { return id + "." + base::hex(base::random_bytes(8)); }

}  // namespace

std::string stored_path(const std::string& root, const std::string& id) {
    return folder_of(root, id) + "/" + id;
}

std::string part_path(const std::string& root, const std::string& part) {
    return root + "/tmp/" + part;
}

asio::thread_pool& Threads::pool() {
    std::call_once(once_, [this] { pool_.emplace(kThreads); });
    return *pool_;
}

void begin_write_out(int fd, std::uint64_t from, std::uint64_t to) {
    ::sync_file_range(fd, static_cast<off_t>(from), static_cast<off_t>(to - from),
                      SYNC_FILE_RANGE_WRITE);
}

Part::Part(Named, std::string root, std::string name)
    : root_(std::move(root)), name_(std::move(name)) {}

Part::Part(std::string root, const std::string& id) : Part(Named(), std::move(root), new_name(id)) {
    make_folder(root_ + "/tmp");
    const std::string path = part_path(root_, name_);
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd_ < 0) fail("cannot make " + path);
    // So that others see that it is not abandoned. It waits for nobody but one who looks at that.
    while (::flock(fd_, LOCK_EX) != 0)
        if (errno != EINTR) fail("cannot lock " + path);
}

Part::~Part() {
    if (fd_ >= 0) ::close(fd_);
    if (!kept_) ::unlink(part_path(root_, name_).c_str());
}

void Part::note(std::string_view bytes) {
    sha_.add(bytes);
    if (head_.size() < kHeadBytes) head_ += bytes.substr(0, kHeadBytes - head_.size());
    size_ += bytes.size();
}

void Part::append(std::string_view bytes) {
    note(bytes);
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("cannot write " + name_);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (size_ - written_out_ < kWrittenOut) return;
    begin_write_out(fd_, written_out_, size_);
    written_out_ = size_;
}

void Part::flush() {
    if (!safe_ && ::fsync(fd_) != 0) fail("cannot write " + name_);
    flush_folder(root_ + "/tmp");
}

void Part::leave_name() {
    if (kept_) return;
    kept_ = ::ftruncate(fd_, 0) == 0;
}

std::string Part::read(std::uint64_t at, std::size_t most) const {
    std::string out(most, '\0');
    for (std::size_t have = 0; have < most;) {
        const ssize_t got =
            ::pread(fd_, out.data() + have, most - have, static_cast<off_t>(at + have));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail("cannot read " + name_);
        have += static_cast<std::size_t>(got);
    }
    return out;
}

void place(const std::string& root, const std::string& id, const std::string& part) {
    make_folder(folder_of(root, id));
    if (::rename(part_path(root, part).c_str(), stored_path(root, id).c_str()) != 0)
        fail("cannot rename " + part);
}

int open_stored(const std::string& root, const std::string& id, const std::string& part) {
    const auto open = [&] {
        return ::open(stored_path(root, id).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    };
    const int fd = open();
    if (fd >= 0 || errno != ENOENT || part.empty()) return fd;
    make_folder(folder_of(root, id));
    // If another process renames it too, either comes first and the file is there.
    ::rename(part_path(root, part).c_str(), stored_path(root, id).c_str());
    return open();
}

void remove_stored(const std::string& root, const std::string& id) {
    ::unlink(stored_path(root, id).c_str());
}

void remove_part(const std::string& root, const std::string& part) {
    ::unlink(part_path(root, part).c_str());
}

}  // namespace svc::file
