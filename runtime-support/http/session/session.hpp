// One connection: reads requests, lets the service answer them, writes the answers, in order.
#pragma once

#include <sys/uio.h>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <optional>

#include "http/exchange.hpp"
#include "http/request/parser.hpp"
#include "http/session/group.hpp"
#include "http/session/input.hpp"

namespace svc::http {

class HttpSession : public Exchange, public EventStream {
  public:
    // Takes the connection.
    HttpSession(std::shared_ptr<SessionGroup> group, Connection connection);
    ~HttpSession() override;
    // Serves until the connection ends or is handed on; never throws.
    static Task<> run(std::unique_ptr<HttpSession> self);

    // The group calls these, on the same thread, never from within this session's own code.
    void check_deadline();
    void expire();
    void nudge();  // a drain began
    void abort();
    std::size_t index = 0;                                   // in the group
    const std::string& network() const { return network_; }  // who it is counted for; empty: nobody
    // The tick at which the session ends if nothing arrives. 0: it is not idle.
    std::uint32_t idle_until() const {
        return state_ == State::reading_head && input_.empty() && !expired_ ? deadline_ : 0;
    }

    Task<EventStream*> open_stream() override;
    void watch(std::function<void()> hung_up) override;
    Task<BodyPart> next_body(std::span<char> wanted) override;

  private:
    using Socket =
        asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;
    // The state says what the session waits for, and so what a deadline or a drain does.
    enum class State : std::uint8_t {
        between,
        reading_head,
        reading_body,
        handling,
        writing,
        streaming
    };
    enum class Next : std::uint8_t { wait, request, end };

    Task<bool> send(std::string frame) override;

    Task<> serve();
    Next look();
    bool woken(const boost::system::error_code& error, std::size_t bytes);
    bool leave();
    void hand_off(bool must_serve);
    void wait_for_head();

    void believe_proxy();  // takes the client's address and scheme from a proxy that is trusted
    // If one of these returns false, the connection cannot continue.
    bool accept_head();
    bool body_allowed();
    bool wants_continue() const;
    Task<bool> read_body();
    Task<bool> answer();
    Task<> refuse_the_rest();
    Task<std::size_t> read_more(std::span<char> room);
    std::span<char> room_for_piece(std::span<char> wanted, std::uint64_t left);
    Task<bool> write_source(BodySource& source);
    void refuse(Code code, std::string_view message);

    void print_head(bool stream);
    // False: the connection ends here.
    Task<bool> write_reply();
    Task<> write_stream();
    Task<bool> write(std::string_view first, std::string_view second);
    // Bytes that the socket took at once; nothing if the connection is broken.
    std::optional<std::size_t> write_some(std::string_view first, std::string_view second);
    std::size_t receive_now();
    void wait_for_hang_up();
    void deadline_in(std::uint64_t seconds);
    // The time limit of a body or an answer: half a minute, and the time for its size on a slow
    // line.
    static std::uint64_t transfer_seconds(std::size_t bytes);

    std::shared_ptr<SessionGroup> group_;
    Socket socket_;
    Input input_;
    std::optional<RequestParser> parser_;
    std::unique_ptr<char[]> piece_;  // bytes of a streamed body, while there are any
    std::string out_;                // head of the answer
    std::string peer_, network_;
    std::uint32_t deadline_ = 0;                    // tick; 0: none
    std::shared_ptr<std::function<void()>> watch_;  // none: nobody asks
    State state_ = State::between;
    Input::Scan scan_ = Input::Scan::more;  // of the bytes in front
    bool in_head_ = false;                  // the head's own deadline runs
    bool expired_ = false;
    bool streams_ = false;          // the handler reads the body
    bool asked_for_body_ = false;   // of a streamed one: "100 Continue" was sent if it is due
    std::uint32_t body_until_ = 0;  // tick: a streamed body is whole by then
    bool must_serve_;
    // Bytes that came with the connection. Whoever handed it over made their head, or has measured
    // it: the first one may be that long.
    std::size_t handed_;
    bool stream_ended_ = false;
};

}  // namespace svc::http
