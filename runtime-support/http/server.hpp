// The HTTP server under svcd and under every app server. It owns sessions, deadlines, limits and
// the orderly end; a Service decides what is served.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/exchange.hpp"

namespace svc::http {

// A connection that moves between processes: its socket, and the bytes that were read but not
// served.
struct Connection {
    int fd = -1;              // owned by the holder of the Connection
    std::string unread;       // bytes already taken from the socket
    bool must_serve = false;  // the sender decided that the first request is the receiver's
};

enum class Claim { serve, hand_off };

class Service {
  public:
    virtual ~Service() = default;
    // True where the row of the route says that it takes credentials from the query. Asked of every
    // guarded head, first of all.
    virtual bool credentials_in_query(const Head&) { return false; }
    // Decides on a guarded head, before the body is read. Not asked for the first request of a
    // connection that came with must_serve.
    virtual Claim claim(const Head& head) = 0;
    // Largest body this request may have, in bytes; beyond: 413 PAYLOAD_TOO_LARGE.
    virtual std::size_t body_limit(const Head& head) = 0;
    // The handler reads the body itself, piece by piece (Exchange::next_body), and counts its
    // bytes.
    virtual bool streams_body(const Head&) { return false; }
    // Answers through exchange.reply(). An exception is answered 500 and logged.
    virtual Task<> handle(Exchange& exchange) = 0;
    // Writes the answer to a request that was refused before handle(), or for which handle() threw.
    // If the head could not be read, only the method and path are set, or nothing.
    virtual void refuse(const Head&, const Error& error, Reply& reply) { fail(reply, error); }
    // Takes a connection whose next request is not for this server, or an idle one when draining.
    virtual void hand_off(Connection connection) = 0;
};

struct Limits {
    std::size_t head = 8 * 1024;
    std::chrono::seconds head_time{10};
    std::chrono::seconds idle_time{60};
    // The most open connections: of all, and of one address that is not a trusted proxy. Beyond
    // that the connection that has been idle longest is closed; if none is idle, the new one is
    // refused. The total is at most three quarters of the process's descriptors.
    std::size_t connections = 20000;
    std::size_t connections_an_address = 1000;
    // Proxies whose X-Forwarded-For is believed: addresses and networks ("10.0.0.0/8").
    std::vector<std::string> trusted_proxies = {};
    bool tls = false;  // every client comes by TLS, whatever a proxy says of it
};

class Server {
  public:
    Server(asio::io_context& io, Service& service, Limits limits = {});
    ~Server();

    // "127.0.0.1:7878"; throws std::system_error. Port 0: any; returns the port taken.
    unsigned short listen(const std::string& address);
    void adopt(Connection connection);
    int listener() const;  // the descriptor that listen() listens on; it stays the server's

    // No new connections; idle ones go to Service::hand_off (closed where `hand_idle` is false),
    // busy ones end after their answer. `done` is called once when the last session has ended.
    void drain(bool hand_idle, std::function<void()> done);
    // Tells the streams that are left that their connection is about to be cut.
    void end_streams();
    std::size_t open() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::http
