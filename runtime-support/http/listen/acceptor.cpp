#include "http/listen/acceptor.hpp"

#include <sys/socket.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "http/listen/unix_socket.hpp"
#include "log/log.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;
using asio::ip::tcp;
using Listener = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

// Accepted at once before other work gets its turn.
constexpr int kBatch = 64;
constexpr std::string_view kDescriptor = "fd:", kPath = "unix:";
constexpr std::chrono::milliseconds kBackOff{100};

tcp::endpoint parse(const std::string& address) {
    std::size_t colon = std::min(address.rfind(':'), address.size());
    std::string host = address.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    unsigned short port = 0;
    const char* end = address.data() + address.size();
    const char* digits = std::min(address.data() + colon + 1, end);
    auto [stop, wrong] = std::from_chars(digits, end, port);
    Fault fault;
    auto ip = asio::ip::make_address(host, fault);
    if (fault || wrong != std::errc() || stop != end)
        throw std::system_error(
            EINVAL, std::generic_category(),
            "\"" + address + "\" is not an address with a port, such as 127.0.0.1:8080");
    return {ip, port};
}

}  // namespace

struct Acceptor::Impl : std::enable_shared_from_this<Impl> {
    Impl(asio::io_context& io, OnConnection on_connection, std::function<void()> on_short)
        : listener(io),
          pause(io),
          on_connection(std::move(on_connection)),
          on_short(std::move(on_short)) {}

    void open(const std::string& address);
    void take(int fd);
    enum class Batch { full, all, exhausted };  // more may wait; none waits; no descriptors left
    Batch accept_batch();
    static Task<> run(std::shared_ptr<Impl> self);

    Listener listener;
    asio::steady_timer pause;
    OnConnection on_connection;
    std::function<void()> on_short;
    bool short_of_descriptors = false;
};

// A socket that somebody else holds too, so that connections wait in its queue while we are gone.
void Acceptor::Impl::take(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
        (address.ss_family != AF_INET && address.ss_family != AF_INET6) || ::listen(fd, 4096) != 0)
        throw std::system_error(errno ? errno : EINVAL, std::generic_category(),
                                "the descriptor " + std::to_string(fd) + " is not a TCP socket");
    listener.assign({address.ss_family, 0}, fd);
    listener.native_non_blocking(true);
}

void Acceptor::Impl::open(const std::string& address) {
    if (address.starts_with(kDescriptor))
        return take(std::atoi(address.c_str() + kDescriptor.size()));
    if (address.starts_with(kPath))
        return listener.assign({AF_UNIX, 0}, listen_at(address.substr(kPath.size()), SOCK_STREAM));
    const tcp::endpoint endpoint = parse(address);
    try {
        listener.open(endpoint.protocol());
        listener.set_option(Listener::reuse_address(true));
        listener.bind(Listener::endpoint_type(endpoint));
        listener.listen(4096);
        listener.native_non_blocking(true);
    } catch (const boost::system::system_error& error) {
        throw std::system_error(error.code().value(), std::system_category(),
                                "cannot listen on " + address);
    }
}

Acceptor::Impl::Batch Acceptor::Impl::accept_batch() {
    for (int i = 0; i < kBatch; ++i) {
        int fd = accept4(listener.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            short_of_descriptors = false;
            on_connection(fd);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            return Batch::exhausted;
        if (errno != ECONNABORTED && errno != EINTR) return Batch::all;
    }
    return Batch::full;
}

Task<> Acceptor::Impl::run(std::shared_ptr<Impl> self) {
    while (self->listener.is_open()) {
        Fault fault;
        co_await self->listener.async_wait(Listener::wait_read,
                                           asio::redirect_error(asio::use_awaitable, fault));
        if (!self->listener.is_open()) co_return;
        if (self->accept_batch() != Batch::exhausted) continue;
        if (!std::exchange(self->short_of_descriptors, true))
            log::write(log::Level::error, "accept_failed", {{"errno", std::int64_t{errno}}});
        self->on_short();
        self->pause.expires_after(kBackOff);
        co_await self->pause.async_wait(asio::redirect_error(asio::use_awaitable, fault));
    }
}

Acceptor::Acceptor(asio::io_context& io, const std::string& address, OnConnection on_connection,
                   std::function<void()> on_short)
    : impl_(std::make_shared<Impl>(io, std::move(on_connection), std::move(on_short))) {
    impl_->open(address);
    asio::co_spawn(io, Impl::run(impl_), asio::detached);
}

Acceptor::~Acceptor() {
    Fault ignored;
    impl_->listener.close(ignored);
    impl_->pause.cancel();
}

unsigned short Acceptor::port() const {
    const auto local = impl_->listener.local_endpoint();
    if (local.protocol().family() == AF_UNIX) return 0;
    tcp::endpoint out;
    std::memcpy(out.data(), local.data(), std::min(local.size(), out.capacity()));
    return out.port();
}

int Acceptor::descriptor() const { return impl_->listener.native_handle(); }

void Acceptor::stop() {
    if (!impl_->listener.is_open()) return;
    while (impl_->accept_batch() == Impl::Batch::full) continue;
    Fault ignored;
    impl_->listener.close(ignored);
    impl_->pause.cancel();
}

}  // namespace svc::http
