#include "http/session/session.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "http/request/proxy.hpp"
#include "log/log.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

// A head and as much again for what follows it; more where a connection came with more.
std::size_t capacity(const Limits& limits, const Connection& connection) {
    return std::max(limits.head * 2, connection.unread.size() + limits.head);
}

constexpr std::uint64_t kLinger = 2;              // seconds
constexpr std::size_t kLingerBytes = 256 * 1024;  // read after a refusal, then the line is cut
constexpr std::size_t kStreamLingerBytes = 64 * 1024 * 1024;  // of what a client goes on uploading

}  // namespace

HttpSession::HttpSession(std::shared_ptr<SessionGroup> group, Connection connection)
    : group_(std::move(group)),
      socket_(group_->io, asio::generic::stream_protocol(AF_INET, IPPROTO_TCP), connection.fd),
      input_(capacity(group_->limits, connection), connection.unread),
      must_serve_(connection.must_serve),
      handed_(connection.unread.size()) {
    int on = 1;
    // Fails on a unix socket, which has no such delay.
    setsockopt(connection.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    peer_ = peer_address(connection.fd);
    remote_ = peer_;
    network_ = group_->counted(peer_);
    group_->add(*this);
}

HttpSession::~HttpSession() { group_->remove(*this); }

Task<> HttpSession::run(std::unique_ptr<HttpSession> self) {
    try {
        co_await self->serve();
    } catch (const std::exception& error) {
        log::write(log::Level::error, "session_failed", {{"what", error.what()}});
    }
}

Task<> HttpSession::serve() {
    for (;;) {
        Next next = look();
        while (next == Next::wait) {
            wait_for_head();
            std::span<char> room = input_.room();
            Fault fault;
            std::size_t bytes =
                co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                                 asio::redirect_error(asio::use_awaitable, fault));
            state_ = State::between;
            next = woken(fault, bytes) ? look() : Next::end;
        }
        if (next == Next::end) co_return;
        bool whole = accept_head();
        if (whole && !streams_ && !parser_->is_done()) whole = co_await read_body();
        bool go_on = false;
        if (whole)
            go_on = co_await answer();
        else if (reply_.close)
            co_await refuse_the_rest();
        if (!go_on) co_return;
        input_.unpin();
    }
}

// Decides what to do with the bytes that were read.
HttpSession::Next HttpSession::look() {
    if (group_->abandoned() || leave()) return Next::end;
    input_.skip_empty_lines();
    scan_ = input_.scan(std::max(group_->limits.head, handed_));
    return scan_ == Input::Scan::more ? Next::wait : Next::request;
}

void HttpSession::wait_for_head() {
    state_ = State::reading_head;
    if (input_.empty()) {
        deadline_in(group_->limits.idle_time.count());
    } else if (!in_head_) {
        deadline_in(group_->limits.head_time.count());
        in_head_ = true;
    }
}

// A read has ended. False if the connection has.
bool HttpSession::woken(const Fault& fault, std::size_t bytes) {
    if (group_->abandoned()) return false;
    input_.filled(bytes);
    const bool expired = std::exchange(expired_, false);
    if (!fault) return true;
    if (fault != asio::error::operation_aborted) return false;
    // A deadline or a drain took the read back. What has come since is not lost: it is read now.
    bool was_idle = input_.empty();
    std::size_t late = receive_now();
    return !expired || (was_idle && late > 0);
}

std::size_t HttpSession::receive_now() {
    std::span<char> room = input_.room();
    ssize_t bytes = recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
    if (bytes <= 0) return 0;
    input_.filled(static_cast<std::size_t>(bytes));
    return static_cast<std::size_t>(bytes);
}

// Draining: true if this connection has no more to do here.
bool HttpSession::leave() {
    if (!group_->draining()) return false;
    if (group_->hands_idle()) {
        hand_off(must_serve_);
        return true;
    }
    return input_.empty() && receive_now() == 0;
}

void HttpSession::hand_off(bool must_serve) {
    Fault fault;
    Connection connection;
    connection.unread = input_.view();
    connection.must_serve = must_serve;
    connection.fd = socket_.release(fault);
    if (fault)
        socket_.close(fault);
    else
        group_->service.hand_off(std::move(connection));
}

// Lets the service answer. False if the connection ends with it.
Task<bool> HttpSession::answer() {
    state_ = State::handling;
    deadline_ = 0;
    std::string what;
    try {
        co_await group_->service.handle(*this);
    } catch (const std::exception& error) {
        what = error.what();
        if (what.empty()) what = "unnamed exception";
    }
    if (!what.empty())
        log::write(log::Level::error, "handler_failed",
                   {{"method", head_.method}, {"path", head_.path}, {"what", what}});
    if (group_->abandoned() || state_ == State::streaming) co_return false;
    state_ = State::between;
    if (!what.empty()) {
        reply_.clear();
        group_->service.refuse(head_, {Code::internal, "The server failed to answer this request."},
                               reply_);
    }
    if (streams_ && !parser_->is_done()) {
        reply_.close = true;
        co_await refuse_the_rest();
        co_return false;
    }
    bool go_on = co_await write_reply();
    co_return go_on;
}

void HttpSession::refuse(Code code, std::string_view message) {
    Error error;
    error.code = code;
    error.message = message;
    group_->service.refuse(head_, error, reply_);
    reply_.close = true;
}

// Answers a refused request. Its rest is read and dropped for a moment: closing over unread bytes
// resets the connection, and the client might never see the answer.
Task<> HttpSession::refuse_the_rest() {
    co_await write_reply();
    if (group_->abandoned()) co_return;
    Fault fault;
    socket_.shutdown(Socket::shutdown_send, fault);
    input_.unpin();
    std::size_t dropped = 0;
    const std::size_t most = streams_ ? kStreamLingerBytes : kLingerBytes;
    deadline_in(kLinger);
    // A client that never stops sending has its next read done before a deadline could cancel it.
    while (!fault && !expired_ && dropped < most) {
        input_.consume(input_.view().size());
        std::span<char> room = input_.room();
        state_ = State::reading_body;
        dropped +=
            co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                             asio::redirect_error(asio::use_awaitable, fault));
    }
}

}  // namespace svc::http
