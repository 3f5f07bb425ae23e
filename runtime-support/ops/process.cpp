#include "ops/process.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <csignal>

#include "log/log.hpp"
#include "ops/drain_time.hpp"

namespace svc::ops {
namespace {

constexpr std::chrono::seconds kDatabasePatience{20};

constexpr std::string_view kNobody =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/json\r\n"
    "Content-Length: 88\r\nConnection: close\r\n\r\n"
    R"({"ok":false,"error":{"code":"UNAVAILABLE","message":"The platform is being restarted."}})";
static_assert(kNobody.size() - kNobody.find('{') == 88);

// A request that is another server's, while there is nobody to give it to.
void turn_away(http::Connection connection) {
    if (!connection.unread.empty()) {
        [[maybe_unused]] ssize_t sent =
            ::send(connection.fd, kNobody.data(), kNobody.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        shutdown(connection.fd, SHUT_WR);
    }
    ::close(connection.fd);
}

}  // namespace

Process::Process(const App& app, Settings settings) : app_(app), settings_(std::move(settings)) {
    for (unsigned i = 0; i < settings_.io_threads; ++i) {
        workers_.push_back(
            std::make_unique<Worker>(app_, settings_, [this](http::Connection connection) {
                asio::post(io(), [this, connection = std::move(connection)]() mutable {
                    hand_off(std::move(connection));
                });
            }));
    }
    signals_ = std::make_unique<asio::signal_set>(io(), SIGTERM, SIGINT);
    patience_ = std::make_unique<asio::steady_timer>(io());
}

int Process::run() {
    wait_for_signals();
    listen();
    open_workers();
    for (std::size_t i = 1; i < workers_.size(); ++i) workers_[i]->start_thread();
    io().run();
    for (auto& worker : workers_) worker->stop_thread();
    return code_;
}

// Listens early, so that svcd can connect while the database is opened. A server that runs alone
// accepts only once it can answer.
void Process::listen() {
    if (!settings_.admin.empty())
        admin_ = std::make_unique<ops::Admin>(io(), settings_.admin, ops::shared_by(settings_));
    if (settings_.control.empty()) return;
    listener_ = std::make_unique<http::ControlListener>(
        io(), settings_.control,
        [this](std::shared_ptr<http::ControlConnection> peer) { take_peer(std::move(peer)); });
}

// Wraps `callback` so that it runs on the first worker's thread.
void Process::report_to_first(Worker::Opened& callback) {
    callback = [this, inner = std::move(callback)](std::string error) {
        asio::post(io(), [inner, error = std::move(error)] { inner(error); });
    };
}

void Process::open_workers() {
    to_open_ = workers_.size();
    for (auto& worker : workers_) {
        Worker::Opened callback = [this](std::string error) { opened(error); };
        report_to_first(callback);
        worker->open(kDatabasePatience, std::move(callback));
    }
}

void Process::opened(const std::string& error) {
    if (!error.empty()) {
        log::write(log::Level::error, "database_unreachable", {{"what", error}});
        return end(1);
    }
    if (--to_open_ == 0) ready();
}

void Process::ready() {
    if (draining_) return;
    if (!settings_.listen.empty()) {
        try {
            acceptor_ = std::make_unique<http::Acceptor>(
                io(), settings_.listen, [this](int fd) { serve({.fd = fd, .unread = {}}); });
        } catch (const std::exception& error) {
            log::write(log::Level::error, "listen_failed", {{"what", error.what()}});
            return end(1);
        }
    }
    ready_ = true;
    workers_.front()->keep_up();
    if (peer_) peer_->send({.kind = 'R', .payload = {}});
    for (http::Connection& connection : std::exchange(early_, {})) serve(std::move(connection));
    log::write(log::Level::info, "ready",
               {{"app", app_.name},
                {"contract", app_.contract},
                {"port", std::int64_t{acceptor_ ? acceptor_->port() : 0}}});
}

void Process::take_peer(std::shared_ptr<http::ControlConnection> peer) {
    // A svcd that connects anew takes the place of the one before, or of its standby, which may
    // just be passing connections on.
    std::deque<http::Message> unsent;
    if (peer_) unsent = peer_->replace();
    peer_ = std::move(peer);
    http::ControlConnection* connection = peer_.get();
    peer_->start([this](http::Message message) { take_message(std::move(message)); },
                 [this, connection] {
                     if (peer_.get() == connection) peer_ = nullptr;
                 });
    peer_->give_back([this](http::Message message) { take_back(std::move(message)); });
    if (ready_) peer_->send({.kind = 'R', .payload = {}});
    for (http::Message& message : unsent) take_back(std::move(message));
}

// Connections that another peer did not get any more.
void Process::take_back(http::Message message) {
    if (message.kind == 'H') return hand_off(http::to_connection(std::move(message)));
    if (message.fd >= 0) ::close(message.fd);
}

void Process::take_message(http::Message message) {
    switch (message.kind) {
        case 'C':
            return serve(http::to_connection(std::move(message)));
        case 'D':
            return drain(true);
        case 'K':
            return reload_keys();
        default:
            break;
    }
    if (message.fd >= 0) ::close(message.fd);
    log::write(log::Level::warning, "control_unknown_message",
               {{"kind", std::string_view(&message.kind, 1)}});
}

void Process::serve(http::Connection connection) {
    if (!ready_) {
        early_.push_back(std::move(connection));
        return;
    }
    workers_[next_]->adopt(std::move(connection));
    next_ = (next_ + 1) % workers_.size();
}

void Process::hand_off(http::Connection connection) {
    if (peer_)
        peer_->send(http::to_message('H', std::move(connection)));
    else
        turn_away(std::move(connection));
}

void Process::reload_keys() {
    auto left = std::make_shared<std::size_t>(workers_.size());
    for (auto& worker : workers_) {
        Worker::Opened callback = [this, left](std::string error) {
            // Without 'k' svcd knows that old keys may still be accepted.
            if (!error.empty())
                log::write(log::Level::error, "reload_failed", {{"what", error}});
            else if (--*left == 0 && peer_)
                peer_->send({.kind = 'k', .payload = {}});
        };
        report_to_first(callback);
        worker->reload_keys(kDatabasePatience, std::move(callback));
    }
}

void Process::wait_for_signals() {
    signals_->async_wait([this](const boost::system::error_code& fault, int) {
        if (fault) return;
        draining_ ? hurry() : drain(false);
        wait_for_signals();
    });
}

void Process::drain(bool hand_over) {
    if (std::exchange(draining_, true)) return;
    const std::chrono::seconds time = hand_over ? kHandOverTime : kEndTime;
    log::write(log::Level::info, "draining",
               {{"hand_over", std::int64_t{hand_over}}, {"seconds", std::int64_t{time.count()}}});
    if (acceptor_) acceptor_->stop();
    for (http::Connection& connection : std::exchange(early_, {})) hand_off(std::move(connection));
    after(time, &Process::end_streams);
    const auto one = [this] {
        asio::post(io(), [this] {
            if (--to_drain_ == 0) drained();
        });
    };
    to_drain_ = workers_.size() + 1;
    workers_.front()->leave(one);
    for (auto& worker : workers_) worker->drain(hand_over, one);
}

void Process::after(std::chrono::seconds time, void (Process::*act)()) {
    patience_->expires_after(time);
    patience_->async_wait([this, act](const boost::system::error_code& fault) {
        if (!fault) (this->*act)();
    });
}

// What is left of the time may be shorter already.
void Process::hurry() {
    if (patience_->expiry() > std::chrono::steady_clock::now() + kHurriedTime)
        after(kHurriedTime, &Process::end_streams);
}

// Its time may have come just as everything was answered.
void Process::end_streams() {
    if (drained_) return;
    for (auto& worker : workers_) worker->end_streams();
    after(kLastWords, &Process::drained);
}

// Everything is answered or handed on, or the time for it is over.
void Process::drained() {
    if (std::exchange(drained_, true)) return;
    patience_->cancel();
    if (!peer_) return end(0);
    // A peer that does not read any more must not keep this process.
    after(std::chrono::seconds(2), &Process::end_well);
    peer_->send({.kind = 'B', .payload = {}});
    peer_->finish([this] { end_well(); });
}

void Process::end_well() { end(0); }

void Process::end(int code) {
    code_ = code;
    admin_ = nullptr;
    log::write(log::Level::info, "stopped", {{"code", std::int64_t{code}}});
    io().stop();
}

}  // namespace svc::ops
