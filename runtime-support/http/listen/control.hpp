// The control connection between svcd and an app server: a SOCK_SEQPACKET unix socket on which the
// app server listens. One datagram a message: a letter, then its payload; a connection travels as a
// descriptor.
//
//   to the app server   'C' must_serve(1 byte: 0/1) unread bytes + fd   serve this connection
//                       'D'              drain, hand idle ones back, exit
//                       'K'              keys or settings changed; answers 'k'
//   to svcd             'R'              ready: database open, accepting
//                       'k'              keys reloaded
//                       'H' unread bytes + fd   a connection handed back
//                       'B'              drained; the process ends now
//
// svcd connects; a connection that ends without 'B' means that the peer is gone. The app server
// goes on serving what it has, and listens for the next svcd.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "http/server.hpp"

namespace svc::http {

struct Message {
    char kind = 0;
    std::string payload;
    int fd = -1;  // owned by the receiver
};

// One end of a control connection. Sends are queued and never block; messages arrive on the
// io_context.
class ControlConnection : public std::enable_shared_from_this<ControlConnection> {
  public:
    using OnMessage = std::function<void(Message)>;
    using OnClosed = std::function<void()>;

    static std::shared_ptr<ControlConnection> attach(asio::io_context& io, int fd);
    static std::shared_ptr<ControlConnection> connect(asio::io_context& io,
                                                      const std::string& path);
    virtual ~ControlConnection() = default;

    virtual void start(OnMessage on_message, OnClosed on_closed) = 0;
    virtual void send(Message message) = 0;  // takes message.fd
    // Messages that could not be sent because the peer is gone are passed to `unsent`, after the
    // call that noticed it. Without `unsent` they are dropped. on_closed() follows.
    virtual void give_back(OnMessage unsent) = 0;
    virtual void close() = 0;  // drops what is queued; `on_closed` is not called
    // For a connection that another one replaces: stops the peer from sending, delivers what it has
    // sent, and closes. Returns the messages that this end had not sent.
    virtual std::deque<Message> replace() = 0;
    // Sends what is queued, then closes and calls `sent`. For the last message of a process.
    virtual void finish(std::function<void()> sent) = 0;
};

// Listens on `path` (replaced when it exists, mode 0600) and reports each peer that connects.
class ControlListener {
  public:
    using OnPeer = std::function<void(std::shared_ptr<ControlConnection>)>;
    ControlListener(asio::io_context& io, const std::string& path, OnPeer on_peer);
    ~ControlListener();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

// A Connection as a message of this kind ('C' or 'H'), and back.
Message to_message(char kind, Connection connection);
Connection to_connection(Message message);

}  // namespace svc::http
