// The control connection's two ends: listening and connecting.
#include <sys/socket.h>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "http/listen/control.hpp"
#include "http/listen/unix_socket.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

}  // namespace

std::shared_ptr<ControlConnection> ControlConnection::connect(asio::io_context& io,
                                                              const std::string& path) {
    return attach(io, connect_to(path, SOCK_SEQPACKET));
}

struct ControlListener::Impl : std::enable_shared_from_this<Impl> {
    Impl(asio::io_context& io, int fd, OnPeer on_peer)
        : io(io), socket(io, fd), on_peer(std::move(on_peer)) {}

    void wait();
    void accept_all();

    asio::io_context& io;
    asio::posix::stream_descriptor socket;
    OnPeer on_peer;
};

void ControlListener::Impl::wait() {
    socket.async_wait(asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](const Fault& fault) {
                          if (!fault) self->accept_all();
                      });
}

void ControlListener::Impl::accept_all() {
    while (socket.is_open()) {
        int fd = accept4(socket.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) return wait();
        on_peer(ControlConnection::attach(io, fd));
    }
}

ControlListener::ControlListener(asio::io_context& io, const std::string& path, OnPeer on_peer)
    : impl_(std::make_shared<Impl>(io, listen_at(path, SOCK_SEQPACKET), std::move(on_peer))) {
    impl_->wait();
}

ControlListener::~ControlListener() {
    Fault ignored;
    impl_->socket.close(ignored);
}

}  // namespace svc::http
