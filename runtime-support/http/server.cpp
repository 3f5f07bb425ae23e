#include "http/server.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "http/listen/acceptor.hpp"
#include "http/request/proxy.hpp"
#include "http/session/session.hpp"
#include "log/log.hpp"

namespace svc::http {
namespace {

constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

void turn_away(int fd) {
    // Best effort: the client may also see just the end.
    [[maybe_unused]] ssize_t sent =
        ::send(fd, kFull.data(), kFull.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::close(fd);
}

}  // namespace

struct Server::Impl {
    Impl(asio::io_context& io, Service& service, Limits limits)
        : group(std::make_shared<SessionGroup>(io, service, std::move(limits))), clock(io) {}

    void tick();
    void adopt(Connection connection);

    std::shared_ptr<SessionGroup> group;
    asio::steady_timer clock;
    std::unique_ptr<Acceptor> acceptor;
};

void Server::Impl::tick() {
    clock.expires_after(std::chrono::seconds(1));
    clock.async_wait([this](const boost::system::error_code& fault) {
        if (fault) return;  // cancelled: the server is gone
        group->tick();
        tick();
    });
}

void Server::Impl::adopt(Connection connection) {
    if (group->draining() && group->hands_idle()) {
        group->service.hand_off(std::move(connection));
        return;
    }
    if (!group->has_room(group->counted(peer_address(connection.fd))))
        return turn_away(connection.fd);
    int fd = connection.fd;
    std::unique_ptr<HttpSession> session;
    try {
        session = std::make_unique<HttpSession>(group, std::move(connection));
    } catch (const std::exception& error) {
        log::write(log::Level::error, "adopt_failed", {{"what", error.what()}});
        ::close(fd);
        return;
    }
    asio::co_spawn(group->io, HttpSession::run(std::move(session)), asio::detached);
}

Server::Server(asio::io_context& io, Service& service, Limits limits)
    : impl_(std::make_unique<Impl>(io, service, std::move(limits))) {
    impl_->tick();
}

Server::~Server() { impl_->group->abandon(); }

unsigned short Server::listen(const std::string& address) {
    Impl* impl = impl_.get();
    impl_->acceptor = std::make_unique<Acceptor>(
        impl_->group->io, address, [impl](int fd) { impl->adopt({.fd = fd, .unread = {}}); },
        [impl] { impl->group->end_idle(); });
    return impl_->acceptor->port();
}

void Server::adopt(Connection connection) { impl_->adopt(std::move(connection)); }

int Server::listener() const { return impl_->acceptor->descriptor(); }

void Server::drain(bool hand_idle, std::function<void()> done) {
    if (impl_->acceptor) impl_->acceptor->stop();
    impl_->group->drain(hand_idle, std::move(done));
}

void Server::end_streams() { impl_->group->end_streams(); }

std::size_t Server::open() const { return impl_->group->size(); }

}  // namespace svc::http
