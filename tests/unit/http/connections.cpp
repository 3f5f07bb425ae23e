// How many connections a server keeps, how long, and of whom.
#include "unit/http/server_fixture.hpp"

namespace svc::http::server_test {
namespace {

class HttpConnections : public ServerTest {};

TEST_F(HttpConnections, ClosesOnceAskedTo) {
    int fd = connect_to(port_);
    put(fd, "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    std::string answer = take(fd);
    EXPECT_NE(answer.find("Connection: close\r\n"), answer.npos);
    close(fd);
}

TEST_F(HttpConnections, EndsIdleAndSlowConnections) {
    Limits limits;
    limits.idle_time = 1s;
    limits.head_time = 1s;
    restart(limits);
    int idle = connect_to(port_);
    int slow = connect_to(port_);
    put(slow, "GET / HT");
    EXPECT_EQ(take(idle), "");
    EXPECT_EQ(take(slow), "");
    on_server([&] { EXPECT_EQ(server_->open(), 0u); });
    close(idle);
    close(slow);
}

constexpr std::string_view kHalfABody =
    "POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

TEST_F(HttpConnections, TurnsAwayWhatIsTooMuch) {
    for (const bool of_one_address : {false, true}) {
        Limits limits;
        (of_one_address ? limits.connections_an_address : limits.connections) = 1;
        restart(limits);
        int first = connect_to(port_);
        put(first, kHalfABody);
        EXPECT_EQ(take(first, kContinue.size()), kContinue);
        int second = connect_to(port_);
        EXPECT_TRUE(take(second).starts_with("HTTP/1.1 503 "));
        put(first, "ok");
        EXPECT_EQ(body_of(take_answer(first)), "/b|ok");
        close(first);
        close(second);
    }
}

TEST_F(HttpConnections, AnIdleConnectionGoesWhereThereIsNoRoomForANewOne) {
    for (const bool of_one_address : {false, true}) {
        Limits limits;
        (of_one_address ? limits.connections_an_address : limits.connections) = 2;
        restart(limits);
        int busy = connect_to(port_), idle = connect_to(port_);
        put(busy, kHalfABody);
        EXPECT_EQ(take(busy, kContinue.size()), kContinue);
        put(idle, kGet);
        EXPECT_EQ(body_of(take_answer(idle)), "/a|");
        int fresh = connect_to(port_);
        put(fresh, kGet);
        EXPECT_EQ(body_of(take_answer(fresh)), "/a|");
        EXPECT_EQ(take(idle), "");
        put(busy, "ok");
        EXPECT_EQ(body_of(take_answer(busy)), "/b|ok");
        for (int fd : {busy, idle, fresh}) close(fd);
    }
}

TEST_F(HttpConnections, ATrustedProxysConnectionsAreCountedTogetherWithAllOthersOnly) {
    Limits limits;
    limits.connections_an_address = 1;
    limits.trusted_proxies = {"127.0.0.0/8"};
    restart(limits);
    int first = connect_to(port_), second = connect_to(port_);
    for (int turn = 0; turn < 2; ++turn)
        for (int fd : {first, second}) {
            put(fd, kGet);
            EXPECT_EQ(body_of(take_answer(fd)), "/a|");
        }
    close(first);
    close(second);
}

TEST_F(HttpConnections, TellsTheClientBehindATrustedProxy) {
    std::string wire = "GET /remote HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n";
    int direct = connect_to(port_);
    put(direct, wire);
    EXPECT_EQ(body_of(take_answer(direct)), "127.0.0.1");
    close(direct);
    Limits limits;
    limits.trusted_proxies = {"127.0.0.1"};
    restart(limits);
    int proxied = connect_to(port_);
    put(proxied, wire);
    EXPECT_EQ(body_of(take_answer(proxied)), "1.2.3.4");
    close(proxied);
}

}  // namespace
}  // namespace svc::http::server_test
