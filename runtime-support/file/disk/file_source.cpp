#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "file/disk/disk.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

// Runs on a thread that may wait. It has its own descriptor, because the answer's may be closed
// meanwhile.
struct ReadJob {
    int fd;
    std::uint64_t at;
    std::size_t most;
    std::shared_ptr<std::string> buffer;
    ssize_t operator()() const {
        const ssize_t got = ::pread(fd, buffer->data(), most, static_cast<off_t>(at));
        ::close(fd);
        return got;
    }
};

}  // namespace

FileSource::FileSource(int fd, std::uint64_t from, std::uint64_t length, Threads& threads)
    : fd_(fd), at_(from), left_(length), length_(length), threads_(threads) {}

FileSource::~FileSource() { ::close(fd_); }

Task<std::string_view> FileSource::next() {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kPiece));
    if (!buffer_) buffer_ = std::make_shared<std::string>(most, '\0');
    iovec place{buffer_->data(), most};
    ssize_t got = ::preadv2(fd_, &place, 1, static_cast<off_t>(at_), RWF_NOWAIT);
    if (got < 0) {
        ReadJob waiting{::fcntl(fd_, F_DUPFD_CLOEXEC, 0), at_, most, buffer_};
        got = co_await outgoing::off_thread(threads_.pool(), std::move(waiting));
    }
    if (got <= 0) co_return std::string_view();
    at_ += static_cast<std::uint64_t>(got);
    left_ -= static_cast<std::uint64_t>(got);
    co_return std::string_view(buffer_->data(), static_cast<std::size_t>(got));
}

}  // namespace svc::file
