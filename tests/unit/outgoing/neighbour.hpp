// A server on this machine, and a call of it.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "outgoing/calls.hpp"

namespace svc::outgoing {

// On a free port of this machine.
class Listener {
  public:
    Listener() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(fd_, plain, size), 0);
        EXPECT_EQ(::getsockname(fd_, plain, &size), 0);
        EXPECT_EQ(::listen(fd_, 8), 0);
        port_ = ntohs(address.sin_port);
    }
    ~Listener() { ::close(fd_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    int fd() const { return fd_; }
    unsigned port() const { return port_; }

  private:
    const int fd_;
    unsigned port_ = 0;
};

// Answers each request on this machine and keeps its connections.
class Neighbour {
  public:
    Neighbour() {
        threads_.emplace_back([this] { accept(); });
    }
    ~Neighbour() {
        ::shutdown(listener_.fd(), SHUT_RDWR);
        threads_.front().join();
        for (const int line : lines_) ::shutdown(line, SHUT_RDWR);
        for (std::size_t i = 1; i < threads_.size(); ++i) threads_[i].join();
        for (const int line : lines_) ::close(line);
    }
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/"; }
    std::atomic<int> connections{0}, requests{0};

  private:
    void accept() {
        for (int line = ::accept(listener_.fd(), nullptr, nullptr); line >= 0;
             line = ::accept(listener_.fd(), nullptr, nullptr)) {
            ++connections;
            lines_.push_back(line);
            threads_.emplace_back([this, line] { serve(line); });
        }
    }
    void serve(int line) {
        char bytes[4096];
        std::string heads;
        for (ssize_t got = ::read(line, bytes, sizeof bytes); got > 0;
             got = ::read(line, bytes, sizeof bytes)) {
            heads.append(bytes, static_cast<std::size_t>(got));
            if (!heads.ends_with("\r\n\r\n")) continue;
            heads.clear();
            ++requests;
            constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            EXPECT_GT(::write(line, kAnswer.data(), kAnswer.size()), 0);
        }
    }

    const Listener listener_;
    std::vector<int> lines_;
    std::vector<std::thread> threads_;
};

inline Fetched sent(asio::io_context& io, Calls& calls, Fetch request) {
    auto coming = asio::co_spawn(io, calls.send(std::move(request)), asio::use_future);
    io.restart();
    io.run();
    return coming.get();
}

}  // namespace svc::outgoing
