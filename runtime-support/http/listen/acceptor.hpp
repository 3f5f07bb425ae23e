// A listening socket: hands each accepted connection on as a descriptor.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "http/task.hpp"

namespace svc::http {

class Acceptor {
  public:
    using OnConnection = std::function<void(int fd)>;  // owns the descriptor

    // "127.0.0.1:7878", "[::1]:0", "unix:/path", or "fd:3" for a socket that is open. Throws
    // std::system_error that names the address.
    // `on_short`: there is no descriptor left for the next connection; it waits.
    Acceptor(
        asio::io_context& io, const std::string& address, OnConnection on_connection,
        std::function<void()> on_short = [] {});
    ~Acceptor();

    unsigned short port() const;  // 0 of a path
    int descriptor() const;
    // Takes what has already connected, then stops listening.
    void stop();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace svc::http
