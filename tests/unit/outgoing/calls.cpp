#include "outgoing/calls.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <thread>
#include <vector>

namespace svc::outgoing {
namespace {

// Answers each request on this machine and keeps its connections.
class Neighbour {
  public:
    Neighbour() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_, plain, size), 0);
        EXPECT_EQ(::getsockname(listener_, plain, &size), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        port_ = ntohs(address.sin_port);
        threads_.emplace_back([this] { accept(); });
    }
    ~Neighbour() {
        ::shutdown(listener_, SHUT_RDWR);
        threads_.front().join();
        for (const int line : lines_) ::shutdown(line, SHUT_RDWR);
        for (std::size_t i = 1; i < threads_.size(); ++i) threads_[i].join();
        for (const int line : lines_) ::close(line);
        ::close(listener_);
    }
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
    std::atomic<int> connections{0}, requests{0};

  private:
    void accept() {
        for (int line = ::accept(listener_, nullptr, nullptr); line >= 0;
             line = ::accept(listener_, nullptr, nullptr)) {
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

    const int listener_;
    unsigned port_ = 0;
    std::vector<int> lines_;
    std::vector<std::thread> threads_;
};

Fetched sent(asio::io_context& io, Calls& calls, const std::string& url, AllowedHosts allowed) {
    Fetch request;
    request.url = url;
    request.plain = true;  // so that the address alone is the reason of a refusal
    request.allowed = std::move(allowed);
    auto coming = asio::co_spawn(io, calls.send(std::move(request)), asio::use_future);
    io.restart();
    io.run();
    return coming.get();
}

TEST(Calls, AKeptConnectionIsCheckedForEachCall) {
    Neighbour neighbour;
    asio::io_context io;
    Calls calls;
    EXPECT_EQ(sent(io, calls, neighbour.url(), {"127.0.0.1"}).body, "ok");
    EXPECT_EQ(sent(io, calls, neighbour.url(), {"127.0.0.1"}).body, "ok");
    EXPECT_EQ(neighbour.connections, 1);
    const Fetched refused = sent(io, calls, neighbour.url(), {});
    EXPECT_EQ(refused.status, 0);
    EXPECT_TRUE(refused.for_good);
    EXPECT_NE(refused.error.find("private"), std::string::npos) << refused.error;
    EXPECT_EQ(neighbour.requests, 2);
}

// Each is an address of this machine to curl or to its resolver, or a name that leads there.
TEST(Calls, AForgedAddressReachesNobody) {
    Neighbour neighbour;
    asio::io_context io;
    Calls calls;
    const std::string url = neighbour.url(), port = url.substr(url.rfind(':'));
    for (const char* host : {"127.0.0.1",
                             "127.1",
                             "127.0.1",
                             "0177.0.0.1",
                             "0x7f.0.0.1",
                             "0x7f.1",
                             "0x7f000001",
                             "017700000001",
                             "2130706433",
                             "0",
                             "0.0.0.0",
                             "127.0.0.1.",
                             "%31%32%37.0.0.1",
                             "good.test@127.0.0.1",
                             "good.test:x@127.1",
                             "localhost",
                             "LOCALHOST",
                             "localhost.",
                             "[::ffff:127.0.0.1]",
                             "[::ffff:7f00:1]",
                             "[0:0:0:0:0:ffff:127.0.0.1]",
                             "[::127.0.0.1]",
                             "[::]",
                             "[::1]",
                             "[64:ff9b::7f00:1]",
                             "[2002:7f00:1::]"})
        EXPECT_EQ(sent(io, calls, "http://" + std::string(host) + port, {"good.test"}).status, 0)
            << host;
    EXPECT_EQ(neighbour.connections, 0);
    // Most of them would have led there.
    EXPECT_EQ(sent(io, calls, "http://0x7f.1" + port, {"*"}).body, "ok");
    EXPECT_EQ(sent(io, calls, "http://[::ffff:7f00:1]" + port, {"*"}).body, "ok");
    EXPECT_EQ(sent(io, calls, "http://localhost" + port, {"*"}).body, "ok");
}

}  // namespace
}  // namespace svc::outgoing
