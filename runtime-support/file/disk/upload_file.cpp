// The temporary file of a resumable upload, which several processes may write to.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "file/disk/disk.hpp"

namespace svc::file {
namespace {

[[noreturn]] void upload_failed(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::string folder(const std::string& root) { return root + "/tmp/"; }

std::string path_of_upload(const std::string& root, const std::string& id) {
    return folder(root) + id + ".tus";
}

// Open and locked; the lock goes with it. -1: it is not there, or was finished while this waited.
class Locked {
  public:
    explicit Locked(const std::string& path, bool waits = true)
        : fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
        if (fd_ < 0) return;
        struct stat here {
        }, there{};
        const bool ours = ::flock(fd_, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0;
        busy_ = !ours && errno == EWOULDBLOCK;
        if (ours && ::fstat(fd_, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
            here.st_ino == there.st_ino)
            return;
        ::close(fd_);
        fd_ = -1;
    }
    ~Locked() {
        if (fd_ >= 0) ::close(fd_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    int fd() const { return fd_; }
    bool busy() const { return busy_; }  // somebody else has it, and this did not wait

  private:
    int fd_;
    bool busy_ = false;
};

// The upload has another name already if a server was killed while it finished the upload.
std::string name_of(const std::string& root, const std::string& id) {
    std::error_code why;
    const std::filesystem::directory_iterator entries(folder(root), why);
    if (why && why != std::errc::no_such_file_or_directory)
        throw std::system_error(why, "cannot look for an upload");
    for (const auto& entry : entries) {
        std::string name = entry.path().filename();
        if (name.starts_with(id + ".")) return name;
    }
    return {};
}

}  // namespace

void make_upload(const std::string& root, const std::string& id) {
    if (::mkdir(folder(root).c_str(), 0700) != 0 && errno != EEXIST)
        upload_failed("cannot make tmp");
    const int fd = ::open(path_of_upload(root, id).c_str(),
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) upload_failed("cannot make an upload");
    ::close(fd);
}

bool write_upload(const std::string& root, const std::string& id, std::uint64_t at,
                  std::string_view bytes, bool flush) {
    const Locked file(path_of_upload(root, id));
    if (file.fd() < 0) return false;
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(file.fd(), bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) upload_failed("cannot write an upload");
        bytes.remove_prefix(static_cast<std::size_t>(written));
        at += static_cast<std::uint64_t>(written);
    }
    if (flush && ::fdatasync(file.fd()) != 0) upload_failed("cannot write an upload");
    return true;
}

void remove_upload(const std::string& root, const std::string& id) {
    ::unlink(path_of_upload(root, id).c_str());
}

void Part::read_whole() {
    std::string piece(std::size_t{256} * 1024, '\0');
    for (;;) {
        const ssize_t got = ::pread(fd_, piece.data(), piece.size(), static_cast<off_t>(size_));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) upload_failed("cannot read an upload");
        if (got == 0) return;
        note(std::string_view(piece.data(), static_cast<std::size_t>(got)));
    }
}

// Whoever stores it holds the lock until it is stored, which may take a while: to wait here would
// keep a thread of the disk from all others. A folder that is read while a file gets another name
// may show neither name.
Part::Taken Part::of_upload(const std::string& root, const std::string& id) {
    constexpr int kTries = 4;
    for (int tries = 0; tries < kTries; ++tries) {
        const std::string from = name_of(root, id);
        if (from.empty()) continue;
        const Locked file(folder(root) + from, false);
        if (file.busy()) return {nullptr, true};
        if (file.fd() < 0) continue;
        // Once it has the name of a part it keeps that: the store may have some of it already.
        const bool first = from.ends_with(".tus");
        std::shared_ptr<Part> out(
            new Part(Named(), root, first ? id + "." + base::hex(base::random_bytes(8)) : from));
        out->keep();
        if (first &&
            ::rename((folder(root) + from).c_str(), (folder(root) + out->name()).c_str()) != 0)
            return {};
        out->fd_ = ::fcntl(file.fd(), F_DUPFD_CLOEXEC, 0);  // the lock is held as long as either
        if (out->fd_ < 0) upload_failed("cannot read an upload");
        // It is as old as its last byte: by its age it would go while it is stored.
        if (::futimens(out->fd_, nullptr) != 0) upload_failed("cannot touch an upload");
        out->read_whole();
        return {out, false};
    }
    return {};
}

}  // namespace svc::file
