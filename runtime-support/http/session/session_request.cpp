// Reading a request: its head is guarded and parsed, its body taken.
#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "base/ascii.hpp"
#include "http/request/guard.hpp"
#include "http/request/proxy.hpp"
#include "http/session/session.hpp"

namespace svc::http {
namespace {

constexpr std::uint64_t kStill = 30;       // seconds without a byte, then an upload is given up
constexpr std::size_t kPiece = 64 * 1024;  // of a streamed body, at most

// The path of a request line that may be malformed: the form of the refusal depends on it. May be
// empty.
std::string_view path_in(std::string_view bytes) {
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    const std::size_t blank = line.find(' ');
    if (blank == line.npos) return {};
    const std::string_view target = line.substr(blank + 1);
    return target.substr(0, target.find_first_of(" ?"));
}

}  // namespace

// Parses and guards the head. False if the request was refused, which reply_.close then says, or
// the connection handed off.
bool HttpSession::accept_head() {
    in_head_ = false;
    handed_ = 0;
    reply_.clear();
    head_.method = {};
    head_.path = path_in(input_.view());
    if (scan_ == Input::Scan::too_large) {
        refuse(Code::headers_too_large, "The head of a request may have at most " +
                                            std::to_string(group_->limits.head) + " bytes.");
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
    head_.credentials_in_query = group_->service.credentials_in_query(head_);
    if (!must_serve_ && group_->service.claim(head_) == Claim::hand_off) {
        hand_off(false);
        return false;
    }
    must_serve_ = false;
    input_.pin(length);
    believe_proxy();
    return body_allowed();
}

void HttpSession::believe_proxy() {
    const std::string_view forwarded_for = head_.header("X-Forwarded-For");
    const bool proxied = !group_->limits.trusted_proxies.empty();
    if (proxied) remote_ = client_address(peer_, forwarded_for, group_->limits.trusted_proxies);
    // Where a proxy wrote the client's address, its word on the scheme holds too. A client that
    // lies changes its own cookies alone.
    head_.by_tls =
        group_->limits.tls || (proxied && !forwarded_for.empty() &&
                               base::iequals(head_.header("X-Forwarded-Proto"), "https"));
}

bool HttpSession::body_allowed() {
    streams_ = asked_for_body_ = false;
    piece_.reset();
    if (parser_->is_done()) return true;
    if (group_->service.streams_body(head_)) {
        streams_ = true;
        const std::uint64_t most = group_->service.body_limit(head_);
        const auto length = parser_->content_length();
        deadline_in(transfer_seconds(std::min<std::uint64_t>(length ? *length : most, most)));
        body_until_ = deadline_;
        return true;
    }
    std::uint64_t limit = group_->service.body_limit(head_);
    parser_->body_limit(limit);
    auto length = parser_->content_length();
    deadline_in(transfer_seconds(static_cast<std::size_t>(length ? *length : limit)));
    if (!length || *length <= limit) return true;
    refuse(Code::payload_too_large,
           "The body may have at most " + std::to_string(limit) + " bytes.");
    return false;
}

bool HttpSession::wants_continue() const {
    return input_.empty() && !parser_->http_1_0() &&
           base::iequals(head_.header("Expect"), "100-continue");
}

// False if the connection has ended, or with reply_.close where the body is refused.
Task<bool> HttpSession::read_body() {
    if (wants_continue()) {
        const std::uint32_t until = deadline_;
        bool written = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
        if (!written) co_return false;
        deadline_ = until;
    }
    for (;;) {
        std::size_t used = 0;
        RequestParser::Step step = parser_->parse_body(input_.view(), used);
        input_.consume(used);
        if (step == RequestParser::Step::done) co_return true;
        std::span<char> room = input_.room();
        if (step == RequestParser::Step::too_large) {
            refuse(Code::payload_too_large, "The body is larger than this route allows.");
            co_return false;
        }
        if (step == RequestParser::Step::malformed || room.empty()) {
            refuse(Code::bad_request, "Malformed request: the chunked body cannot be read.");
            co_return false;
        }
        state_ = State::reading_body;
        boost::system::error_code fault;
        std::size_t bytes =
            co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                             asio::redirect_error(asio::use_awaitable, fault));
        state_ = State::between;
        if (fault || expired_ || group_->abandoned()) co_return false;
        input_.filled(bytes);
    }
}

// One read of a streamed body, whose client may be slow but not still. 0: the connection has ended.
Task<std::size_t> HttpSession::read_more(std::span<char> room) {
    if (room.empty()) co_return 0;
    const State before = std::exchange(state_, State::reading_body);
    deadline_in(kStill);
    deadline_ = std::min(deadline_, body_until_);
    boost::system::error_code fault;
    const std::size_t bytes = co_await socket_.async_read_some(
        asio::buffer(room.data(), room.size()), asio::redirect_error(asio::use_awaitable, fault));
    state_ = before;
    deadline_ = 0;
    expired_ = false;
    co_return fault || group_->abandoned() ? 0 : bytes;
}

// For bytes of a body of which so many are left.
std::span<char> HttpSession::room_for_piece(std::span<char> wanted, std::uint64_t left) {
    if (wanted.empty()) {
        if (!piece_) piece_ = std::make_unique_for_overwrite<char[]>(kPiece);
        wanted = {piece_.get(), kPiece};
    }
    return wanted.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, wanted.size())));
}

// Bytes of a body whose length is known need no place in front of a next request, so many of them
// are read at once, apart from those, and never more than the body has.
Task<BodyPart> HttpSession::next_body(std::span<char> wanted) {
    using State = BodyPart::State;
    if (!streams_ || parser_->is_done()) {
        piece_.reset();
        co_return BodyPart{State::end};
    }
    if (!std::exchange(asked_for_body_, true) && wants_continue()) {
        const bool written = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
        if (!written) co_return BodyPart{State::malformed};
    }
    std::string_view bytes = input_.view();
    for (bool apart = false;;) {
        std::size_t used = 0;
        std::string_view piece;
        const RequestParser::Step step = parser_->parse_piece(bytes, used, piece);
        if (!apart) input_.consume(used);
        if (!piece.empty()) co_return BodyPart{State::more, piece};
        if (step == RequestParser::Step::done) co_return BodyPart{State::end};
        if (step != RequestParser::Step::more) co_return BodyPart{State::malformed};
        const auto left = parser_->content_length_remaining();
        apart = left && input_.empty();
        const std::span<char> room = apart ? room_for_piece(wanted, *left) : input_.room();
        const std::size_t read = co_await read_more(room);
        if (read == 0) co_return BodyPart{State::malformed};
        if (!apart) input_.filled(read);
        bytes = apart ? std::string_view(room.data(), read) : input_.view();
    }
}

}  // namespace svc::http
