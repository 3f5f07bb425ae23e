// The writing half of a session: answers and event streams.
#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <charconv>

#include "http/session/group.hpp"
#include "http/session/session.hpp"
#include "http/session/status_line.hpp"
#include "http/stream.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

void append_number(std::string& out, std::size_t number) {
    char text[20];
    auto [end, error] = std::to_chars(text, text + sizeof(text), number);
    out.append(text, end);
}

// 1xx, 204 and 304 end with their head.
bool bodiless(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

void HttpSession::print_head(bool stream) {
    out_.clear();
    append_status_line(out_, reply_.status);
    if (stream) {
        out_ +=
            "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
            "X-Accel-Buffering: no\r\n";
    } else if (!bodiless(reply_.status)) {
        if (!reply_.body.empty() || reply_.source) {
            out_ += "Content-Type: ";
            out_ += reply_.content_type;
            out_ += "\r\n";
        }
        out_ += "Content-Length: ";
        append_number(out_, reply_.source ? static_cast<std::size_t>(reply_.source->length())
                                          : reply_.body.size());
        out_ += "\r\n";
    }
    out_ += "X-Content-Type-Options: nosniff\r\n";
    out_ += group_->date();
    out_ += reply_.extra_headers;
    if (reply_.close)
        out_ += "Connection: close\r\n";
    else if (parser_ && parser_->http_1_0())
        out_ += "Connection: keep-alive\r\n";
    out_ += "\r\n";
}

// True if the connection goes on to its next request.
Task<bool> HttpSession::write_reply() {
    if (reply_.follow && head_.method != "HEAD") {
        co_await write_stream();
        co_return false;
    }
    bool refused = reply_.close;
    if (!refused) {
        bool leaving = group_->draining() && !group_->hands_idle();
        reply_.close = leaving || !head_.keep_alive;
    }
    print_head(static_cast<bool>(reply_.follow));
    bool headless = head_.method == "HEAD" || bodiless(reply_.status);
    bool written = co_await write(out_, headless ? std::string_view() : reply_.body);
    if (written && !headless && reply_.source) written = co_await write_source(*reply_.source);
    bool go_on = written && !reply_.close;
    reply_.clear();
    co_return go_on;
}

Task<bool> HttpSession::write_source(BodySource& source) {
    for (std::uint64_t left = source.length(); left > 0;) {
        deadline_ = 0;
        const std::string_view bytes = co_await source.next();
        if (bytes.empty() || bytes.size() > left || group_->abandoned()) co_return false;
        const bool written = co_await write(bytes, {});
        if (!written) co_return false;
        left -= bytes.size();
    }
    co_return true;
}

Task<> HttpSession::write_stream() {
    const auto follow = std::exchange(reply_.follow, nullptr);
    reply_.close = true;
    print_head(true);
    bool written = true;
    if (!reply_.headless) written = co_await write(out_, {});
    if (!written || group_->abandoned()) co_return;
    follow(std::make_unique<Stream>(group_, std::move(socket_), network_));
}

Task<bool> HttpSession::write(std::string_view first, std::string_view second) {
    std::size_t left = first.size() + second.size();
    deadline_in(transfer_seconds(left));
    for (;;) {
        std::optional<std::size_t> sent = write_some(first, second);
        if (!sent) co_return false;
        left -= *sent;
        if (left == 0) co_return true;
        std::size_t of_first = std::min(*sent, first.size());
        first.remove_prefix(of_first);
        second.remove_prefix(*sent - of_first);
        State before = std::exchange(state_, State::writing);
        Fault fault;
        co_await socket_.async_wait(Socket::wait_write,
                                    asio::redirect_error(asio::use_awaitable, fault));
        state_ = before;
        if (fault || group_->abandoned()) co_return false;
    }
}

std::optional<std::size_t> HttpSession::write_some(std::string_view first,
                                                   std::string_view second) {
    iovec parts[2] = {{const_cast<char*>(first.data()), first.size()},
                      {const_cast<char*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = second.empty() ? 1 : 2;
    ssize_t sent = sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return 0;
    return std::nullopt;
}

Task<EventStream*> HttpSession::open_stream() {
    reply_.close = true;
    print_head(true);
    state_ = State::streaming;
    bool written = co_await write(out_, {});
    stream_ended_ = !written;
    deadline_ = 0;
    // A drain that began before could not see this stream.
    if (group_->draining()) nudge();
    co_return this;
}

Task<bool> HttpSession::send(std::string frame) {
    if (stream_ended_ || group_->abandoned()) co_return false;
    bool written = co_await write(frame, {});
    // A drain that began while this waited for the socket did not find this stream.
    stream_ended_ = !written || group_->draining();
    deadline_ = 0;
    co_return !stream_ended_;
}

}  // namespace svc::http
