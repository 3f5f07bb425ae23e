// An answer that continues while its client stays. The session that opened it has ended, and the
// stream owns its socket. A stream costs little more than the socket. One thread only.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/server.hpp"

namespace svc::http {

class SessionGroup;

using StreamSocket =
    asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;

class Stream {
  public:
    // The stream counts in the group as the session did. `network`: as SessionGroup::counted().
    Stream(std::shared_ptr<SessionGroup> group, StreamSocket socket, std::string network);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // Bytes of both that the socket took at once; nothing if the connection is broken.
    std::optional<std::size_t> write_some(std::string_view first, std::string_view second = {});
    // Bytes that the client would take now (base/offered_window.hpp).
    std::optional<std::uint32_t> offered_window();
    // Calls `writable` once the socket takes more. One wait at a time.
    void wait_writable(std::function<void()> writable);
    // Calls `hung_up`, at most once, when the client has closed its side. What it sends is dropped.
    void watch(std::function<void()> hung_up);
    // Called once when the server drains, soon if it does already. It waits for its streams.
    void at_drain(std::function<void()> drain);
    // Called once when the time of the drain is over and the connection is about to be cut. The
    // stream goes later, with what its owner still writes.
    void at_end(std::function<void()> end) { end_ = std::move(end); }
    // The connections that drain go to another process.
    bool hands_on() const;
    // Passes the socket to the process that takes over the connections of this server. `request`:
    // the bytes that it reads first. No handler is called after it.
    void hand_off(std::string request);

    std::size_t index = 0;  // in the group
    void drain();           // from the group
    void end();             // the same
    void close();           // the server is gone

  private:
    void wait_for_hang_up();

    std::shared_ptr<SessionGroup> group_;
    StreamSocket socket_;
    const std::string network_;
    std::function<void()> hung_up_, drain_, end_;
    // Shows handlers that still wait on the socket that the stream was destroyed.
    std::shared_ptr<Stream*> self_;
};

}  // namespace svc::http
