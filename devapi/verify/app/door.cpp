#include "verify/app/door.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace svc::devapi::verification {
namespace {

constexpr int kWaiting = 64;  // connections
// A connection that this process has no descriptor for stays in front of the door.
constexpr int kPauseMs = 100;

int listening_port(int listener) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* address = reinterpret_cast<sockaddr*>(&at);
    if (listener < 0 || ::bind(listener, address, size) != 0 || ::listen(listener, kWaiting) != 0 ||
        ::getsockname(listener, address, &size) != 0)
        throw std::system_error(errno, std::generic_category(),
                                "A door to the server on the clone");
    return ntohs(at.sin_port);
}

}  // namespace

Door::Door(const AppServer& server)
    : server_(server),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      closing_(::eventfd(0, EFD_CLOEXEC)) {
    try {
        port_ = listening_port(listener_);
        thread_ = std::thread([this] { let_in(); });
    } catch (...) {
        ::close(listener_);
        ::close(closing_);
        throw;
    }
}

Door::~Door() {
    const std::uint64_t one = 1;
    while (::write(closing_, &one, sizeof one) < 0 && errno == EINTR) {
    }
    thread_.join();
    ::close(listener_);
    ::close(closing_);
}

void Door::let_in() {
    pollfd ends[2] = {{listener_, POLLIN, 0}, {closing_, POLLIN, 0}};
    while (::poll(ends, 2, -1) >= 0 || errno == EINTR) {
        if (ends[1].revents != 0) return;
        const int caller = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (caller >= 0)
            server_.take(caller);
        else if (errno != EAGAIN && errno != EINTR)
            ::poll(&ends[1], 1, kPauseMs);
    }
}

}  // namespace svc::devapi::verification
