#include "standby/standby.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <csignal>
#include <system_error>

#include "common/child.hpp"
#include "http/answer.hpp"
#include "log/log.hpp"
#include "standby/messages.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

constexpr auto kAppsPatience = 5s;  // for servers that were being started
constexpr auto kAppsLook = 100ms;

}  // namespace

Standby::Standby(const std::string& socket) : again_(io_), server_(io_, *this) {
    listener_ = std::make_unique<http::ControlListener>(
        io_, socket,
        [this](std::shared_ptr<http::ControlConnection> peer) { take_peer(std::move(peer)); });
}

Standby::~Standby() {
    if (listen_fd_ >= 0) ::close(listen_fd_);
}

void Standby::run() { io_.run(); }

// ---- svcd ----

void Standby::take_peer(std::shared_ptr<http::ControlConnection> peer) {
    std::deque<http::Message> unsent;
    if (peer_) unsent = peer_->replace();
    peer_ = std::move(peer);
    const http::ControlConnection* connection = peer_.get();
    peer_->start([this](http::Message message) { take_message(std::move(message)); },
                 [this, connection] { peer_gone(connection); });
    peer_->give_back([this](http::Message message) { take_back(std::move(message)); });
    for (http::Message& message : unsent) take_back(std::move(message));
}

// Connections that did not get to where they were passed on to: an app server that a svcd is taking
// over, or a svcd that has just been killed.
void Standby::take_back(http::Message message) {
    if (message.kind != 'H' && message.kind != 'C') {
        if (message.fd >= 0) ::close(message.fd);
    } else if (message.kind == 'C' && peer_) {
        peer_->send(http::to_message('H', http::to_connection(std::move(message))));
    } else {
        hand_off(http::to_connection(std::move(message)));
    }
}

void Standby::peer_gone(const http::ControlConnection* connection) {
    if (peer_.get() != connection) return;
    peer_ = nullptr;
    if (draining_)
        io_.stop();
    else
        stand_in();
}

void Standby::take_message(http::Message message) {
    switch (message.kind) {
        case 'L':
            return take_listener(std::move(message));
        case 'T':
            return take_table(message.fd);
        case 'S':
            return take_socket(message.payload);
        case '?':
            return send_listener();
        case 'P':
            return peer_->send({.kind = 'p', .payload = {}});
        case 'D':
            return drain();
        default:
            if (message.fd >= 0) ::close(message.fd);
    }
}

void Standby::take_listener(http::Message message) {
    if (listen_fd_ >= 0) ::close(listen_fd_);
    listen_fd_ = message.fd;
    address_ = std::move(message.payload);
    say_ready();
}

void Standby::take_table(int fd) {
    RoutingTable table = read_table(from_memory(fd));
    ::close(fd);
    platform_ = std::move(table.platform);
    directory_.replace(std::move(table.directory));
    if (!std::exchange(has_table_, true)) say_ready();
}

void Standby::take_socket(const std::string& text) {
    const AppSocket socket = read_socket(text);
    if (socket.path)
        sockets_[socket.app] = *socket.path;
    else
        sockets_.erase(socket.app);
}

void Standby::say_ready() {
    if (listen_fd_ >= 0 && has_table_) peer_->send({.kind = 'R', .payload = {}});
}

void Standby::send_listener() {
    const int fd = listen_fd_ < 0 ? -1 : ::fcntl(listen_fd_, F_DUPFD_CLOEXEC, 3);
    peer_->send({.kind = 'A', .payload = address_, .fd = fd});
    peer_->send({.kind = 'R', .payload = {}});  // as it was before
}

// ---- while no svcd runs ----

void Standby::stand_in() {
    if (listen_fd_ < 0) return io_.stop();
    patience_ = std::chrono::steady_clock::now() + kAppsPatience;
    look_for_apps();
    if (io_.stopped() || std::exchange(stands_in_, true)) return;
    log::write(log::Level::warning, "stands_in",
               {{"apps", static_cast<std::int64_t>(connections_.size())}});
    server_.listen("fd:" + std::to_string(::fcntl(listen_fd_, F_DUPFD_CLOEXEC, 3)));
}

// A server that was just being started listens a moment later. An app without a server has nobody
// to serve.
void Standby::look_for_apps() {
    if (peer_ || draining_) return;
    for (const auto& [app, socket] : sockets_)
        if (!connections_.contains(app) && !socket.empty()) connect(app, socket);
    if (std::chrono::steady_clock::now() >= patience_ || sockets_.empty()) {
        if (connections_.empty()) io_.stop();
        return;
    }
    if (connections_.size() == sockets_.size()) return;
    again_.expires_after(kAppsLook);
    again_.async_wait([this](const boost::system::error_code& error) {
        if (!error) look_for_apps();
    });
}

void Standby::connect(const AppId& app, const std::string& socket) try {
    auto connection = http::ControlConnection::connect(io_, socket);
    connection->start(
        [this](http::Message message) {
            if (message.kind == 'H' && message.fd >= 0)
                server_.adopt(http::to_connection(std::move(message)));
        },
        [this, app] { connection_closed(app); });
    connection->give_back([this](http::Message message) { take_back(std::move(message)); });
    connections_[app] = std::move(connection);
} catch (const std::system_error& error) {
    if (std::chrono::steady_clock::now() >= patience_)
        log::write(log::Level::warning, "app_not_reached", {{"what", error.what()}});
}

// The server ended, or a svcd has taken it over, which asked for the socket before it did.
void Standby::connection_closed(const AppId& app) {
    connections_.erase(app);
    look_for_apps();
}

// ---- connections ----

Target Standby::target_of(const http::Head& head) const {
    return find_target(head, platform_, directory_, [this](const std::string& project, Env env) {
        return sockets_.contains({project, env});
    });
}

// A request for an app goes to the app's server. Any other goes to the next svcd, and is answered
// here only while there is none.
http::Claim Standby::claim(const http::Head& head) {
    const bool apps = target_of(head).kind == Target::Kind::app;
    return apps || peer_ ? http::Claim::hand_off : http::Claim::serve;
}

// A request for an app without a connection waits in the next svcd, if there is one already.
void Standby::hand_off(http::Connection connection) {
    const auto head = read_head(connection.unread);
    const Target target = head ? target_of(*head) : Target{};
    const auto found = connections_.find({target.project, target.env});
    connection.must_serve = target.kind == Target::Kind::app;
    if (!draining_ && connection.must_serve && found != connections_.end())
        return found->second->send(http::to_message('C', std::move(connection)));
    if (peer_) return peer_->send(http::to_message('H', std::move(connection)));
    if (connection.must_serve && !draining_) return server_.adopt(std::move(connection));
    ::close(connection.fd);
}

Task<> Standby::handle(http::Exchange& exchange) {
    const Target target = target_of(exchange.head());
    http::Reply& reply = exchange.reply();
    if (target.kind == Target::Kind::preflight) {
        preflight(exchange.head(), directory_, reply);
        co_return;
    }
    Error error = target.error;
    if (target.kind != Target::Kind::refused)
        error = {Code::unavailable,
                 target.kind == Target::Kind::app ? "The app is not running at the moment."
                                                  : "The service is restarting. Try again soon.",
                 {},
                 {},
                 {}};
    refuse_call(exchange.head(), error, reply);
    reply.close = true;  // the next request may be for the svcd that is back by then
}

void Standby::drain() {
    draining_ = true;
    if (listen_fd_ >= 0) ::close(std::exchange(listen_fd_, -1));
    server_.drain(true, [this] {
        peer_->send({.kind = 'B', .payload = {}});
        peer_->finish([this] { io_.stop(); });
    });
}

// ---- the process ----

namespace {

void become(const UnixUser& user) {
    if (::setgroups(0, nullptr) != 0 || ::setresgid(user.gid, user.gid, user.gid) != 0 ||
        ::setresuid(user.uid, user.uid, user.uid) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot become " + user.name);
    // App servers are that user, too: the listening socket must not be theirs through ptrace.
    ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace

int run_standby(const std::string& socket, const std::string& user) try {
    std::signal(SIGPIPE, SIG_IGN);
    Standby standby(socket);
    if (!user.empty() && ::geteuid() == 0) become(find_user(user));
    standby.run();
    return 0;
} catch (const std::exception& error) {
    log::write(log::Level::error, "standby_failed", {{"what", error.what()}});
    return 1;
}

}  // namespace svc::devapi
