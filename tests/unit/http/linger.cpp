// How long a connection may wait for a body, and how long it lives on after its request was refused
// before the body was read. The test is the server's clock.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "http/session/group.hpp"
#include "http/session/session.hpp"

namespace svc::http {
namespace {

constexpr std::string_view kStreamed = "POST /upload HTTP/1.1\r\nHost: h\r\n";
constexpr std::string_view kTooLarge =
    "POST /usual HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n";
constexpr std::size_t kMost = 64 * 1024 * 1024;  // bytes that may be dropped

// Refuses every upload before it reads of it.
class Refusing : public Service {
  public:
    Claim claim(const Head&) override { return Claim::serve; }
    std::size_t body_limit(const Head& head) override {
        return streams_body(head) ? 4 * kMost : 1'000'000;
    }
    bool streams_body(const Head& head) override { return head.path == "/upload"; }
    Task<> handle(Exchange& exchange) override {
        exchange.reply().status = 401;
        co_return;
    }
    void hand_off(Connection connection) override { ::close(connection.fd); }
};

class HttpLinger : public testing::Test {
  protected:
    void SetUp() override {
        int ends[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
        client_ = ends[0];
        auto session =
            std::make_unique<HttpSession>(group_, Connection{.fd = ends[1], .unread = {}});
        asio::co_spawn(io_, HttpSession::run(std::move(session)), asio::detached);
    }
    void TearDown() override { ::close(client_); }

    // As many of the bytes as the socket takes.
    std::size_t send(std::string_view bytes) const {
        const ssize_t sent = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        return sent < 0 ? 0 : static_cast<std::size_t>(sent);
    }
    void refused(std::string_view request, std::string_view status) {
        EXPECT_EQ(send(request), request.size());
        io_.poll();
        char answer[4096];
        const ssize_t bytes = ::recv(client_, answer, sizeof answer, 0);
        ASSERT_GT(bytes, 0);
        EXPECT_TRUE(std::string_view(answer, static_cast<std::size_t>(bytes)).starts_with(status));
        EXPECT_TRUE(is_open()) << "the client is still sending";
    }
    bool is_open() const { return group_->size() == 1; }
    void second() {
        group_->tick();
        io_.poll();
        io_.restart();
    }

    asio::io_context io_{1};
    Refusing service_;
    std::shared_ptr<SessionGroup> group_ = std::make_shared<SessionGroup>(io_, service_, Limits{});
    int client_ = -1;
};

TEST_F(HttpLinger, AByteASecondHoldsNoConnection) {
    refused(kTooLarge, "HTTP/1.1 413 ");
    for (int seconds = 0; seconds < 4; ++seconds) {
        send("x");
        second();
    }
    EXPECT_FALSE(is_open());
}

TEST_F(HttpLinger, AByteASecondOfAnUploadHoldsNoConnection) {
    refused(std::string(kStreamed) + "Content-Length: 200000000\r\n\r\n", "HTTP/1.1 401 ");
    for (int seconds = 0; seconds < 4; ++seconds) {
        send("x");
        second();
    }
    EXPECT_FALSE(is_open());
}

// While more has come than was read, each read is done before the clock could take it back.
TEST_F(HttpLinger, AClientThatNeverStopsSendingEndsInTime) {
    refused(std::string(kStreamed) + "Content-Length: 200000000\r\n\r\n", "HTTP/1.1 401 ");
    const std::string piece(100'000, 'x');
    for (int seconds = 0; seconds < 5; ++seconds) {
        while (send(piece) != 0) continue;
        io_.poll_one();
        group_->tick();
    }
    io_.poll();
    EXPECT_FALSE(is_open());
}

// It sent until the deadline, and sends nothing since.
TEST_F(HttpLinger, AClientThatFallsSilentAtTheDeadlineEnds) {
    refused(kTooLarge, "HTTP/1.1 413 ");
    for (int seconds = 0; seconds < 4; ++seconds) {
        send(std::string(20'000, 'x'));
        io_.poll_one();
        group_->tick();
    }
    for (int seconds = 0; seconds < 2; ++seconds) second();
    EXPECT_FALSE(is_open());
}

TEST_F(HttpLinger, MoreBytesThanAClientMayGoOnSendingEndIt) {
    refused(std::string(kStreamed) + "Content-Length: 200000000\r\n\r\n", "HTTP/1.1 401 ");
    const std::string piece(100'000, 'x');
    std::size_t sent = 0;
    while (is_open() && sent < 2 * kMost) {
        sent += send(piece);
        io_.poll();
        io_.restart();
    }
    EXPECT_FALSE(is_open());
    EXPECT_LT(sent, kMost + 1024 * 1024);
}

// The same of a body that is awaited, which would hold its connection for good.
TEST_F(HttpLinger, ABodyThatIsLateEndsAlthoughMuchOfItCameAtTheDeadline) {
    send("POST /usual HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nx");
    io_.poll();
    for (int seconds = 0; seconds < 88; ++seconds) second();
    EXPECT_TRUE(is_open()) << "it has a minute and a half";
    for (int seconds = 0; seconds < 8; ++seconds) {
        send(std::string(20'000, 'x'));
        io_.poll_one();
        group_->tick();
    }
    for (int seconds = 0; seconds < 2; ++seconds) second();
    EXPECT_FALSE(is_open());
}

TEST_F(HttpLinger, ABodyHasItsWholeTimeAlsoIfItsClientAskedBeforeItSendsIt) {
    send(
        "POST /usual HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
        "1000000\r\n\r\n");
    io_.poll();
    for (int seconds = 0; seconds < 80; ++seconds) second();
    EXPECT_TRUE(is_open());
    for (int seconds = 0; seconds < 20; ++seconds) second();
    EXPECT_FALSE(is_open());
}

}  // namespace
}  // namespace svc::http
