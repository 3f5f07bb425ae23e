#include "http/session.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <utility>

#include "base/ascii.hpp"
#include "http/guard.hpp"
#include "http/proxy.hpp"
#include "log/log.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

// A head and as much again for what follows it; more where a connection came with more.
std::size_t capacity(const Limits& limits, const Connection& connection) {
    return std::max(limits.head * 2, connection.unread.size() + limits.head);
}

// As a request line that may be no good has it: a refusal's shape depends on it. Maybe empty.
std::string_view path_in(std::string_view bytes) {
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    const std::size_t blank = line.find(' ');
    if (blank == line.npos) return {};
    const std::string_view target = line.substr(blank + 1);
    return target.substr(0, target.find_first_of(" ?"));
}

constexpr std::uint64_t kLinger = 2;              // seconds
constexpr std::size_t kLingerBytes = 256 * 1024;  // read after a refusal, then the line is cut

}  // namespace

Session::Session(std::shared_ptr<SessionGroup> group, Connection connection)
    : group_(std::move(group)),
      socket_(group_->io, asio::generic::stream_protocol(AF_INET, IPPROTO_TCP), connection.fd),
      input_(capacity(group_->limits, connection), connection.unread),
      must_serve_(connection.must_serve) {
    int on = 1;
    // Fails on a unix socket, which has no such delay.
    setsockopt(connection.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    peer_ = peer_address(connection.fd);
    remote_ = peer_;
    network_ = group_->counted(peer_);
    group_->add(*this);
}

Session::~Session() { group_->remove(*this); }

Task<> Session::run(std::unique_ptr<Session> self) {
    try {
        co_await self->serve();
    } catch (const std::exception& error) {
        log::write(log::Level::error, "session_failed", {{"what", error.what()}});
    }
}

Task<> Session::serve() {
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
        if (whole && !parser_->is_done()) whole = co_await read_body();
        bool go_on = false;
        if (whole)
            go_on = co_await answer();
        else if (reply_.close)
            co_await refuse_the_rest();
        if (!go_on) co_return;
        input_.unpin();
    }
}

// What to do with the bytes that are there.
Session::Next Session::look() {
    if (group_->abandoned() || leave()) return Next::end;
    input_.skip_empty_lines();
    scan_ = input_.scan(group_->limits.head);
    return scan_ == Input::Scan::more ? Next::wait : Next::request;
}

void Session::wait_for_head() {
    state_ = State::reading_head;
    if (input_.empty()) {
        deadline_in(group_->limits.idle_time.count());
    } else if (!in_head_) {
        deadline_in(group_->limits.head_time.count());
        in_head_ = true;
    }
}

// A read has ended. False where the connection has.
bool Session::woken(const Fault& fault, std::size_t bytes) {
    if (group_->abandoned()) return false;
    input_.filled(bytes);
    if (!fault) return true;
    if (fault != asio::error::operation_aborted) return false;
    // A deadline or a drain took the read back. What has come since is not lost: it is read now.
    bool was_idle = input_.empty();
    std::size_t late = receive_now();
    bool expired = std::exchange(expired_, false);
    return !expired || (was_idle && late > 0);
}

std::size_t Session::receive_now() {
    std::span<char> room = input_.room();
    ssize_t bytes = recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
    if (bytes <= 0) return 0;
    input_.filled(static_cast<std::size_t>(bytes));
    return static_cast<std::size_t>(bytes);
}

// Draining: true where this connection has no more to do here.
bool Session::leave() {
    if (!group_->draining()) return false;
    if (group_->hands_idle()) {
        hand_off(must_serve_);
        return true;
    }
    return input_.empty() && receive_now() == 0;
}

void Session::hand_off(bool must_serve) {
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

// Parses and guards the head. False where the request was refused, which reply_.close then says, or
// the connection handed off.
bool Session::accept_head() {
    in_head_ = false;
    reply_.clear();
    head_.method = {};
    head_.path = path_in(input_.view());
    if (scan_ == Input::Scan::too_large) {
        refuse(Code::headers_too_large,
               "The head of a request may have " + std::to_string(group_->limits.head) + " bytes.");
        return false;
    }
    if (scan_ != Input::Scan::head) {
        refuse(Code::bad_request, "Malformed request: a line does not end in CR LF.");
        return false;
    }
    std::size_t length = input_.length();
    std::string_view bytes = input_.view().substr(0, length);
    std::string_view fault = guard(bytes);
    parser_.emplace(head_, body_);
    if (fault.empty() && !parser_->parse_head(bytes)) fault = "it does not follow RFC 9112";
    if (!fault.empty()) {
        refuse(Code::bad_request, "Malformed request: " + std::string(fault) + ".");
        return false;
    }
    if (!must_serve_ && group_->service.claim(head_) == Claim::hand_off) {
        hand_off(false);
        return false;
    }
    must_serve_ = false;
    input_.pin(length);
    const std::string_view forwarded_for = head_.header("X-Forwarded-For");
    const bool proxied = !group_->limits.trusted_proxies.empty();
    if (proxied) remote_ = client_address(peer_, forwarded_for, group_->limits.trusted_proxies);
    // Where a proxy wrote the client's address, its word on the scheme holds too. A client that
    // lies changes its own cookies alone.
    head_.by_tls =
        group_->limits.tls || (proxied && !forwarded_for.empty() &&
                               base::iequals(head_.header("X-Forwarded-Proto"), "https"));
    return body_allowed();
}

bool Session::body_allowed() {
    if (parser_->is_done()) return true;
    std::uint64_t limit = group_->service.body_limit(head_);
    parser_->body_limit(limit);
    auto length = parser_->content_length();
    deadline_in(transfer_seconds(static_cast<std::size_t>(length ? *length : limit)));
    if (!length || *length <= limit) return true;
    refuse(Code::payload_too_large, "The body may have " + std::to_string(limit) + " bytes.");
    return false;
}

bool Session::wants_continue() const {
    return input_.empty() && !parser_->http_1_0() &&
           base::iequals(head_.header("Expect"), "100-continue");
}

// False where the connection has ended, or with reply_.close where the body is refused.
Task<bool> Session::read_body() {
    if (wants_continue()) {
        bool written = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
        if (!written) co_return false;
    }
    for (;;) {
        std::size_t used = 0;
        RequestParser::Step step = parser_->parse_body(input_.view(), used);
        input_.consume(used);
        if (step == RequestParser::Step::done) co_return true;
        std::span<char> room = input_.room();
        if (step == RequestParser::Step::too_large) {
            refuse(Code::payload_too_large, "The body is larger than this route takes.");
            co_return false;
        }
        if (step == RequestParser::Step::malformed || room.empty()) {
            refuse(Code::bad_request, "Malformed request: the chunked body cannot be read.");
            co_return false;
        }
        state_ = State::reading_body;
        Fault fault;
        std::size_t bytes =
            co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                             asio::redirect_error(asio::use_awaitable, fault));
        state_ = State::between;
        if (fault || group_->abandoned()) co_return false;
        input_.filled(bytes);
    }
}

// Lets the service answer. False where the connection ends with it.
Task<bool> Session::answer() {
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
    bool go_on = co_await write_reply();
    co_return go_on;
}

void Session::refuse(Code code, std::string_view message) {
    Error error;
    error.code = code;
    error.message = message;
    group_->service.refuse(head_, error, reply_);
    reply_.close = true;
}

// Answers a refused request. Its rest is read and dropped for a moment: closing over unread bytes
// resets the connection, and the client might never see the answer.
Task<> Session::refuse_the_rest() {
    co_await write_reply();
    if (group_->abandoned()) co_return;
    Fault fault;
    socket_.shutdown(Socket::shutdown_send, fault);
    input_.unpin();
    std::size_t dropped = 0;
    deadline_in(kLinger);
    while (!fault && dropped < kLingerBytes) {
        input_.consume(input_.view().size());
        std::span<char> room = input_.room();
        state_ = State::reading_body;
        dropped +=
            co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                             asio::redirect_error(asio::use_awaitable, fault));
    }
}

void Session::check_deadline() {
    if (deadline_ == 0 || deadline_ > group_->now()) return;
    if (state_ == State::between || state_ == State::handling) return;
    expire();
}

void Session::expire() {
    deadline_ = 0;
    expired_ = true;
    Fault ignored;
    socket_.cancel(ignored);
}

void Session::nudge() {
    Fault ignored;
    if (state_ == State::streaming) {
        // A stream has no end of its own; its client comes back and is served by the next process.
        stream_ended_ = true;
        socket_.shutdown(Socket::shutdown_both, ignored);
        return;
    }
    // A half-read head travels on; where nothing is handed on, it is waited for.
    bool movable = group_->hands_idle() || input_.empty();
    if (state_ == State::reading_head && movable) socket_.cancel(ignored);
}

void Session::abort() {
    Fault ignored;
    socket_.close(ignored);
}

void Session::watch(std::function<void()> hung_up) {
    if (watch_) {
        watch_.reset();
        Fault ignored;
        socket_.cancel(ignored);
    }
    if (!hung_up || state_ != State::handling) return;
    watch_ = std::make_shared<std::function<void()>>(std::move(hung_up));
    wait_for_hang_up();
}

// While a request is handled nothing else waits on the socket. The watch's end is the session's.
void Session::wait_for_hang_up() {
    const std::weak_ptr<std::function<void()>> watch = watch_;
    socket_.async_wait(Socket::wait_read, [this, watch](const Fault& fault) {
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

std::uint64_t Session::transfer_seconds(std::size_t bytes) { return 30 + bytes / (16 * 1024); }

void Session::deadline_in(std::uint64_t seconds) {
    deadline_ = group_->now() + 1 + static_cast<std::uint32_t>(seconds);
}

}  // namespace svc::http
