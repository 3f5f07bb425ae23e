// A server over real sockets that echoes, and a client of bytes.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <optional>
#include <thread>

#include "http/server.hpp"

namespace svc::http::server_test {

using namespace std::chrono_literals;

class Echo : public Service {
  public:
    explicit Echo(asio::io_context& io) : io_(io) {}

    Claim claim(const Head& head) override {
        return head.path == "/foreign" ? Claim::hand_off : Claim::serve;
    }
    std::size_t body_limit(const Head&) override { return 1000; }
    Task<> handle(Exchange& exchange) override {
        const Head& head = exchange.head();
        if (head.path == "/throw") throw std::runtime_error("broken on purpose");
        if (head.path == "/big") {
            exchange.reply().body.assign(8 << 20, 'x');
            co_return;
        }
        if (head.path == "/slow") {
            asio::steady_timer timer(io_, 200ms);
            co_await timer.async_wait(asio::use_awaitable);
        }
        if (head.path == "/stream") {
            EventStream* stream = co_await exchange.open_stream();
            for (int i = 0; i < 3; ++i)
                co_await stream->send("data: " + std::to_string(i) + "\n\n");
            co_return;
        }
        if (head.path == "/forever") {
            EventStream* stream = co_await exchange.open_stream();
            for (bool there = true; there;) {
                asio::steady_timer timer(io_, 20ms);
                co_await timer.async_wait(asio::use_awaitable);
                there = co_await stream->send("event: ping\n\n");
            }
            co_return;
        }
        if (head.path == "/remote") {
            exchange.reply().body = exchange.remote();
            co_return;
        }
        exchange.reply().body = std::string(head.path) + "|" + std::string(exchange.body());
    }
    void hand_off(Connection connection) override { handed.push_back(std::move(connection)); }

    std::vector<Connection> handed;

  private:
    asio::io_context& io_;
};

inline int connect_to(unsigned short port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    timeval limit{5, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    return fd;
}

inline void put(int fd, std::string_view text) {
    ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

// Reads until `enough` bytes, or to the end.
inline std::string take(int fd, std::size_t enough = std::string::npos) {
    std::string text;
    char bytes[65536];
    while (text.size() < enough) {
        ssize_t got = recv(fd, bytes, std::min(sizeof(bytes), enough - text.size()), 0);
        if (got <= 0) break;
        text.append(bytes, static_cast<std::size_t>(got));
    }
    return text;
}

// One whole answer with a Content-Length.
inline std::string take_answer(int fd, bool with_body = true) {
    std::string text;
    while (text.find("\r\n\r\n") == text.npos) {
        std::string byte = take(fd, 1);
        if (byte.empty()) return text;
        text += byte;
    }
    std::size_t at = text.find("Content-Length: ");
    if (at != text.npos && with_body) text += take(fd, std::stoul(text.substr(at + 16)));
    return text;
}

inline std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
}

class ServerTest : public testing::Test {
  protected:
    void SetUp() override { start({}); }
    void start(Limits limits) {
        server_.emplace(io_, echo_, limits);
        port_ = server_->listen("127.0.0.1:0");
        thread_ = std::thread([this] { io_.run(); });
    }
    void restart(Limits limits) {
        stop();
        server_.reset();
        io_.restart();
        start(limits);
    }
    void stop() {
        io_.stop();
        if (thread_.joinable()) thread_.join();
    }
    void TearDown() override {
        stop();
        for (Connection& connection : echo_.handed) close(connection.fd);
    }
    // On the server's thread; waits for it.
    template <class Work>
    void on_server(Work work) {
        std::promise<void> done;
        asio::post(io_, [&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
    }
    void drain(bool hand_idle) {
        on_server([&] { server_->drain(hand_idle, [this] { drained_.set_value(); }); });
    }
    bool drained() { return drained_.get_future().wait_for(5s) == std::future_status::ready; }

    asio::io_context io_{1};
    Echo echo_{io_};
    std::optional<Server> server_;
    unsigned short port_ = 0;
    std::thread thread_;
    std::promise<void> drained_;
};

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

}  // namespace svc::http::server_test
