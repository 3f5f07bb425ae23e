// Requests as a client sees them.
#include "unit/http/server_fixture.hpp"

namespace svc::http::server_test {
namespace {

class HttpServer : public ServerTest {};

TEST_F(HttpServer, KeepsTheConnection) {
    int fd = connect_to(port_);
    for (int i = 0; i < 3; ++i) {
        put(fd, kGet);
        std::string answer = take_answer(fd);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
        EXPECT_NE(answer.find("X-Content-Type-Options: nosniff\r\n"), answer.npos);
        EXPECT_EQ(body_of(answer), "/a|");
    }
    close(fd);
}

TEST_F(HttpServer, AnswersPipelinedRequestsInOrder) {
    int fd = connect_to(port_);
    std::string wire;
    for (int i = 0; i < 50; ++i) {
        wire += "POST /" + std::to_string(i) +
                " HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc\r\n";
        wire += "POST /c" + std::to_string(i) +
                " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n";
    }
    put(fd, wire);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(body_of(take_answer(fd)), "/" + std::to_string(i) + "|abc");
        EXPECT_EQ(body_of(take_answer(fd)), "/c" + std::to_string(i) + "|xy");
    }
    close(fd);
}

TEST_F(HttpServer, TakesARequestByteByByte) {
    int fd = connect_to(port_);
    for (char c : std::string("POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n")) {
        put(fd, std::string_view(&c, 1));
        std::this_thread::sleep_for(100us);
    }
    EXPECT_EQ(body_of(take_answer(fd)), "/b|abcd");
    close(fd);
}

TEST_F(HttpServer, HeadHasTheLengthAndNoBody) {
    int fd = connect_to(port_);
    put(fd, "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGet));
    std::string head = take_answer(fd, false);
    EXPECT_NE(head.find("Content-Length: 3\r\n"), head.npos);
    EXPECT_EQ(body_of(take_answer(fd)), "/a|");
    close(fd);
}

TEST_F(HttpServer, RefusesLargeBodies) {
    for (std::string framing :
         {"Content-Length: 1001\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e9\r\n",
          "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n3e8\r\n"}) {
        int fd = connect_to(port_);
        put(fd, "POST / HTTP/1.1\r\nHost: h\r\n" + framing + std::string(1001, 'x'));
        std::string answer = take(fd);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer;
        EXPECT_NE(answer.find("PAYLOAD_TOO_LARGE"), answer.npos);
        EXPECT_NE(answer.find("Connection: close"), answer.npos);
        close(fd);
    }
}

TEST_F(HttpServer, RefusesLargeHeads) {
    int fd = connect_to(port_);
    put(fd, "GET / HTTP/1.1\r\nHost: h\r\nX-A: " + std::string(9000, 'x'));
    std::string answer = take(fd);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 431 ")) << answer;
    EXPECT_NE(answer.find("HEADERS_TOO_LARGE"), answer.npos);
    close(fd);
}

TEST_F(HttpServer, RefusesMalformedRequestsAndCloses) {
    for (std::string wire :
         {"GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\n",
          "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"}) {
        int fd = connect_to(port_);
        put(fd, wire);
        std::string answer = take(fd);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
        EXPECT_NE(answer.find("\"ok\":false"), answer.npos);
        close(fd);
    }
}

TEST_F(HttpServer, SaysContinue) {
    int fd = connect_to(port_);
    put(fd, "POST /c HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(take(fd, 25), "HTTP/1.1 100 Continue\r\n\r\n");
    put(fd, "ok");
    EXPECT_EQ(body_of(take_answer(fd)), "/c|ok");
    close(fd);
}

TEST_F(HttpServer, AnExceptionIs500AndTheConnectionGoesOn) {
    int fd = connect_to(port_);
    put(fd, "GET /throw HTTP/1.1\r\nHost: h\r\n\r\n");
    std::string answer = take_answer(fd);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 500 ")) << answer;
    EXPECT_EQ(answer.find("on purpose"), answer.npos);
    put(fd, kGet);
    EXPECT_EQ(body_of(take_answer(fd)), "/a|");
    close(fd);
}

TEST_F(HttpServer, WritesWhatTheSocketDoesNotTakeAtOnce) {
    int fd = connect_to(port_);
    put(fd, "GET /big HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGet));
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(body_of(take_answer(fd)).size(), std::size_t{8 << 20});
    EXPECT_EQ(body_of(take_answer(fd)), "/a|");
    close(fd);
}

TEST_F(HttpServer, StreamsEvents) {
    int fd = connect_to(port_);
    put(fd, "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    std::string answer = take(fd);
    EXPECT_NE(answer.find("Content-Type: text/event-stream\r\n"), answer.npos);
    EXPECT_EQ(body_of(answer), "data: 0\n\ndata: 1\n\ndata: 2\n\n");
    close(fd);
}

}  // namespace
}  // namespace svc::http::server_test
