#include "file/disk/upload_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "file/kind/mime.hpp"

namespace svc::file {
namespace {

[[noreturn]] void upload_failed(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::string folder(const std::string& root) { return root + "/tmp/"; }

std::string name_for(const std::string& id, const std::string& writer) {
    return writer.empty() ? id + ".tus" : id + "." + writer + ".tus";
}

// The file that is open has this name.
bool has_name(int fd, const std::string& path) {
    struct stat here {
    }, there{};
    return ::fstat(fd, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
           here.st_ino == there.st_ino;
}

// Open and locked; the lock goes with it. Does not wait.
class Locked {
  public:
    explicit Locked(const std::string& path)
        : fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
        if (fd_ < 0 && errno != ENOENT) upload_failed("cannot open an upload");
        if (fd_ < 0) return;
        const bool ours = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
        busy_ = !ours && errno == EWOULDBLOCK;
        if (ours && has_name(fd_, path)) return;
        ::close(fd_);
        fd_ = -1;
    }
    ~Locked() {
        if (fd_ >= 0) ::close(fd_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    int fd() const { return fd_; }       // -1: it is not there, or has another name by now
    bool busy() const { return busy_; }  // somebody else has it

  private:
    int fd_;
    bool busy_ = false;
};

// The result of one try. A folder that is read while a file is renamed may show neither name.
enum class Found : std::uint8_t { yes, busy, missing };

template <class Try>
void some_tries(Try next) {
    constexpr int kTries = 20, kMisses = 4;
    constexpr std::chrono::milliseconds kBetween{5};
    for (int tries = 0, misses = 0; tries < kTries && misses < kMisses; ++tries) {
        const Found found = next();
        if (found == Found::yes) return;
        if (found == Found::missing) ++misses;
        if (tries > 0) std::this_thread::sleep_for(kBetween);
    }
}

}  // namespace

std::string name_of_upload(const std::string& root, const std::string& id) {
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

bool is_unfinished(std::string_view name) { return name.ends_with(".tus"); }

void make_upload(const std::string& root, const std::string& id) {
    if (::mkdir(folder(root).c_str(), 0700) != 0 && errno != EEXIST)
        upload_failed("cannot make tmp");
    const int fd = ::open((folder(root) + name_for(id, "")).c_str(),
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) upload_failed("cannot make an upload");
    ::close(fd);
}

// A writer holds the lock while it writes a piece; whoever stores the upload holds it to the end,
// and has renamed it before.
Claim claim_upload(const std::string& root, const std::string& id, const std::string& before,
                   const std::string& writer) {
    Claim out = Claim::absent;
    std::string name = name_for(id, before);
    some_tries([&] {
        const Locked file(folder(root) + name);
        out = file.busy() ? Claim::busy : Claim::absent;
        if (file.busy()) return Found::busy;
        if (file.fd() < 0) {
            name = name_of_upload(root, id);
            if (name.empty()) name = name_for(id, before);
            return Found::missing;
        }
        out = Claim::done;
        if (is_unfinished(name) && ::rename((folder(root) + name).c_str(),
                                            (folder(root) + name_for(id, writer)).c_str()) != 0)
            upload_failed("cannot rename an upload");
        return Found::yes;
    });
    return out;
}

// A writer has the lock for as long as one piece takes: a file that stays now would stay for a day,
// and no quota would know of it. Whoever stores the upload has the lock to the end, and finds that
// the row is gone.
bool remove_unfinished(const std::string& root, const std::string& name) {
    bool removed = false;
    some_tries([&] {
        const Locked file(folder(root) + name);
        if (file.busy() && is_unfinished(name)) return Found::busy;
        if (file.fd() < 0) return Found::yes;
        removed = is_unfinished(name) ? ::unlink((folder(root) + name).c_str()) == 0
                                      : ::ftruncate(file.fd(), 0) == 0;
        return Found::yes;
    });
    return removed;
}

void Hashes::keep(const std::string& id, std::unique_ptr<Hashed> hashed) {
    const std::lock_guard lock(mutex_);
    if (by_id_.size() >= kMost) by_id_.erase(by_id_.begin());
    by_id_[id] = std::move(hashed);
}

std::unique_ptr<Hashed> Hashes::take(const std::string& id, std::uint64_t bytes) {
    if (bytes == 0) return std::make_unique<Hashed>();
    const std::lock_guard lock(mutex_);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return nullptr;
    std::unique_ptr<Hashed> out = std::move(found->second);
    by_id_.erase(found);
    return out->bytes == bytes ? std::move(out) : nullptr;
}

class UploadFile::Lock {
  public:
    explicit Lock(int fd) : fd_(fd) {
        while (::flock(fd_, LOCK_EX) != 0)
            if (errno != EINTR) upload_failed("cannot lock an upload");
    }
    ~Lock() { ::flock(fd_, LOCK_UN); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    const int fd_;
};

UploadFile::UploadFile(const std::string& root, const std::string& id, const std::string& writer,
                       std::uint64_t at, std::unique_ptr<Hashed> hashed)
    : path_(folder(root) + name_for(id, writer)), at_(at), hashed_(std::move(hashed)) {}

UploadFile::~UploadFile() {
    if (fd_ >= 0) ::close(fd_);
}

bool UploadFile::write(std::string_view bytes) {
    if (fd_ < 0) fd_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd_ < 0 && errno == ENOENT) return false;
    if (fd_ < 0) upload_failed("cannot open an upload");
    {
        const Lock lock(fd_);
        if (!has_name(fd_, path_)) return false;
        write_at_end(bytes);
    }
    if (hashed_) {
        hashed_->sha.add(bytes);
        hashed_->bytes += bytes.size();
    }
    return true;
}

void UploadFile::write_at_end(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at_));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) upload_failed("cannot write an upload");
        bytes.remove_prefix(static_cast<std::size_t>(written));
        at_ += static_cast<std::uint64_t>(written);
    }
}

void UploadFile::write_out(std::uint64_t from, std::uint64_t to) const {
    if (fd_ >= 0) begin_write_out(fd_, from, to);
}

void UploadFile::flush() {
    if (fd_ >= 0 && ::fdatasync(fd_) != 0) upload_failed("cannot write an upload");
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

// The hash came with the bytes; only the first ones are read again.
void Part::read_head(Hashed& hashed) {
    head_ = read(0, static_cast<std::size_t>(std::min<std::uint64_t>(hashed.bytes, kHeadBytes)));
    size_ = hashed.bytes;
    sha_ = std::move(hashed.sha);
}

// Whoever stores it holds the lock until it is stored, which may take a while: to wait here would
// keep a thread of the disk from all others.
Part::Taken Part::of_upload(const std::string& root, const std::string& id,
                            std::unique_ptr<Hashed> hashed) {
    Taken out;
    some_tries([&] {
        const std::string from = name_of_upload(root, id);
        if (from.empty()) return Found::missing;
        const Locked file(folder(root) + from);
        out.busy = file.busy();
        if (file.busy()) return is_unfinished(from) ? Found::busy : Found::yes;
        if (file.fd() < 0) return Found::missing;
        // Once it has the name of a part it keeps that: the store may have some of it already.
        const bool first = is_unfinished(from);
        out.part.reset(
            new Part(Named(), root, first ? id + "." + base::hex(base::random_bytes(8)) : from));
        out.part->keep();
        if (first &&
            ::rename((folder(root) + from).c_str(), (folder(root) + out.part->name()).c_str()) != 0)
            upload_failed("cannot rename an upload");
        out.part->take_over(file.fd(), hashed.get());
        return Found::yes;
    });
    return out;
}

void Part::take_over(int fd, Hashed* hashed) {
    fd_ = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);  // the lock is held as long as either
    if (fd_ < 0) upload_failed("cannot read an upload");
    // It is as old as its last byte: by its age it would go while it is stored.
    if (::futimens(fd_, nullptr) != 0) upload_failed("cannot touch an upload");
    safe_ = true;  // or its row would not say that all of it has come
    struct stat now {};
    if (hashed && ::fstat(fd_, &now) == 0 &&
        static_cast<std::uint64_t>(now.st_size) == hashed->bytes)
        read_head(*hashed);
    else
        read_whole();
}

}  // namespace svc::file
