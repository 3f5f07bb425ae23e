// Ends a session's wait: by a deadline, a drain, or a client that disconnects.
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "http/session/session.hpp"

namespace svc::http {

void HttpSession::check_deadline() {
    if (deadline_ == 0 || deadline_ > group_->now()) return;
    if (state_ == State::between || state_ == State::handling) return;
    expire();
}

// The deadline stays over: a read that has just ended does not notice the cancel. The next tick
// then ends what the session waits for next.
void HttpSession::expire() {
    deadline_ = group_->now();
    expired_ = true;
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

void HttpSession::nudge() {
    boost::system::error_code ignored;
    if (state_ == State::streaming) {
        // A stream has no end of its own; its client comes back and is served by the next process.
        stream_ended_ = true;
        socket_.shutdown(Socket::shutdown_both, ignored);
        return;
    }
    // A half-read head travels on; if nothing is handed on, it is waited for.
    bool movable = group_->hands_idle() || input_.empty();
    if (state_ == State::reading_head && movable) socket_.cancel(ignored);
}

void HttpSession::abort() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void HttpSession::watch(std::function<void()> hung_up) {
    if (watch_) {
        watch_.reset();
        boost::system::error_code ignored;
        socket_.cancel(ignored);
    }
    if (!hung_up || state_ != State::handling) return;
    watch_ = std::make_shared<std::function<void()>>(std::move(hung_up));
    wait_for_hang_up();
}

// While a request is handled nothing else waits on the socket. The watch's end is the session's.
void HttpSession::wait_for_hang_up() {
    const std::weak_ptr<std::function<void()>> watch = watch_;
    socket_.async_wait(Socket::wait_read, [this, watch](const boost::system::error_code& fault) {
        const auto hung_up = watch.lock();
        if (!hung_up || fault) return;
        char next = 0;
        const ssize_t bytes = recv(socket_.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
        if (bytes > 0) return;
        if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return wait_for_hang_up();
        watch_.reset();
        (*hung_up)();
    });
}

std::uint64_t HttpSession::transfer_seconds(std::size_t bytes) { return 30 + bytes / (16 * 1024); }

void HttpSession::deadline_in(std::uint64_t seconds) {
    deadline_ = group_->now() + 1 + static_cast<std::uint32_t>(seconds);
    expired_ = false;
}

}  // namespace svc::http
