// The unix sockets of the control line: listening and connecting.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "http/control.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

[[noreturn]] void fail(const std::string& what, int error = errno) {
    throw std::system_error(error, std::system_category(), what);
}

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path))
        fail("the path of a unix socket may have " + std::to_string(sizeof(address.sun_path) - 1) +
                 " bytes: " + path,
             ENAMETOOLONG);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return address;
}

int new_socket() {
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) fail("socket");
    return fd;
}

[[noreturn]] void fail_and_close(int fd, const std::string& what) {
    int error = errno;
    ::close(fd);
    fail(what, error);
}

// A socket that an earlier process left; anything else at this path is not ours to remove.
void remove_stale(const std::string& path) {
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode)) unlink(path.c_str());
}

int listen_on(const std::string& path) {
    sockaddr_un address = address_of(path);
    remove_stale(path);
    int fd = new_socket();
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
        fail_and_close(fd, "cannot bind " + path);
    // Nobody can connect before listen().
    if (chmod(path.c_str(), 0600) != 0 || listen(fd, 16) != 0)
        fail_and_close(fd, "cannot listen on " + path);
    return fd;
}

}  // namespace

std::shared_ptr<ControlLine> ControlLine::connect(asio::io_context& io, const std::string& path) {
    sockaddr_un address = address_of(path);
    int fd = new_socket();
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
        fail_and_close(fd, "cannot connect to " + path);
    return attach(io, fd);
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
        on_peer(ControlLine::attach(io, fd));
    }
}

ControlListener::ControlListener(asio::io_context& io, const std::string& path, OnPeer on_peer)
    : impl_(std::make_shared<Impl>(io, listen_on(path), std::move(on_peer))) {
    impl_->wait();
}

ControlListener::~ControlListener() {
    Fault ignored;
    impl_->socket.close(ignored);
}

}  // namespace svc::http
