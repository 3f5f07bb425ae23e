#include "http/stream.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <utility>

#include "base/offered_window.hpp"
#include "http/session/group.hpp"

namespace svc::http {
namespace {

using StreamFault = boost::system::error_code;

constexpr int kStreamSendBuffer = 32 * 1024;  // bytes, of which the kernel uses half for its own

}  // namespace

Stream::Stream(std::shared_ptr<SessionGroup> group, StreamSocket socket, std::string network)
    : group_(std::move(group)),
      socket_(std::move(socket)),
      network_(std::move(network)),
      self_(std::make_shared<Stream*>(this)) {
    // Data for a client that does not read must wait here, not in the kernel.
    const int bytes = kStreamSendBuffer;
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    group_->add(*this, network_);
}

Stream::~Stream() {
    *self_ = nullptr;
    StreamFault ignored;
    socket_.close(ignored);
    group_->remove(*this, network_);
}

std::optional<std::size_t> Stream::write_some(std::string_view first, std::string_view second) {
    iovec parts[2] = {{const_cast<char*>(first.data()), first.size()},
                      {const_cast<char*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = second.empty() ? 1 : 2;
    const ssize_t sent = sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return 0;
    return std::nullopt;
}

std::optional<std::uint32_t> Stream::offered_window() {
    return base::offered_window(socket_.native_handle());
}

void Stream::wait_writable(std::function<void()> writable) {
    socket_.async_wait(StreamSocket::wait_write,
                       [self = self_, writable = std::move(writable)](const StreamFault& fault) {
                           if (*self && fault != asio::error::operation_aborted) writable();
                       });
}

void Stream::watch(std::function<void()> hung_up) {
    hung_up_ = std::move(hung_up);
    wait_for_hang_up();
}

void Stream::wait_for_hang_up() {
    socket_.async_wait(StreamSocket::wait_read, [self = self_](const StreamFault& fault) {
        Stream* stream = *self;
        if (!stream || fault == asio::error::operation_aborted) return;
        char dropped[512];
        const ssize_t bytes =
            recv(stream->socket_.native_handle(), dropped, sizeof(dropped), MSG_DONTWAIT);
        const bool nothing = bytes < 0 && (errno == EAGAIN || errno == EINTR);
        if (bytes > 0 || nothing) return stream->wait_for_hang_up();
        if (const auto hung_up = std::exchange(stream->hung_up_, nullptr)) hung_up();
    });
}

void Stream::at_drain(std::function<void()> drain) {
    drain_ = std::move(drain);
    if (!group_->draining()) return;
    asio::post(group_->io, [self = self_] {
        if (*self) (*self)->drain();
    });
}

bool Stream::hands_on() const { return group_->hands_idle(); }

void Stream::hand_off(std::string request) {
    *self_ = nullptr;
    hung_up_ = drain_ = end_ = nullptr;
    StreamFault fault;
    Connection connection;
    connection.unread = std::move(request);
    connection.fd = socket_.release(fault);
    if (!fault && !group_->abandoned()) group_->service.hand_off(std::move(connection));
}

void Stream::drain() {
    if (const auto drain = std::exchange(drain_, nullptr)) drain();
}

void Stream::end() {
    if (const auto end = std::exchange(end_, nullptr)) end();
}

void Stream::close() {
    *self_ = nullptr;
    hung_up_ = drain_ = end_ = nullptr;
    StreamFault ignored;
    socket_.close(ignored);
}

}  // namespace svc::http
