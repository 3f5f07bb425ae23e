// Connections that go to another server: a drain loses nothing.
#include <atomic>
#include <set>
#include <utility>
#include <vector>

#include "unit/http/server_fixture.hpp"

namespace svc::http::server_test {
namespace {

class HttpHandover : public ServerTest {};

TEST_F(HttpHandover, HandsOffWhatIsNotItsOwn) {
    int fd = connect_to(port_);
    std::string foreign = "POST /foreign HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok";
    put(fd, std::string(kGet) + foreign);
    EXPECT_EQ(body_of(take_answer(fd)), "/a|");
    std::this_thread::sleep_for(50ms);
    on_server([&] {
        ASSERT_EQ(echo_.handed.size(), 1u);
        EXPECT_EQ(echo_.handed[0].unread, foreign);
        EXPECT_EQ(server_->open(), 0u);
        // Come back with must_serve, it is served here without being asked for again.
        Connection connection = std::move(echo_.handed[0]);
        echo_.handed.clear();
        connection.must_serve = true;
        server_->adopt(std::move(connection));
    });
    EXPECT_EQ(body_of(take_answer(fd)), "/foreign|ok");
    put(fd, foreign);
    std::this_thread::sleep_for(50ms);
    on_server([&] { EXPECT_EQ(echo_.handed.size(), 1u); });
    close(fd);
}

// What is handed over may be made for it, and is longer then than what a client sends.
TEST_F(HttpHandover, TakesWhatComesWithAConnectionHoweverLongItsHeadIs) {
    const std::string large(12000, 'x');
    const auto with_head = [&](const std::string& path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\nX-Large: " + large + "\r\n\r\n";
    };
    int fd = connect_to(port_);
    put(fd, "GET /foreign HTTP/1.1\r\nHost: h\r\n\r\n");
    for (std::size_t handed = 0; handed == 0;) on_server([&] { handed = echo_.handed.size(); });
    on_server([&] {
        Connection connection = std::move(echo_.handed[0]);
        connection.unread = with_head("/first");
        connection.must_serve = true;
        server_->adopt(std::move(connection));
    });
    EXPECT_EQ(body_of(take_answer(fd)), "/first|");
    put(fd, with_head("/second"));
    EXPECT_EQ(take_answer(fd).substr(0, 12), "HTTP/1.1 431");
    close(fd);
}

TEST_F(HttpHandover, DrainHandsEveryConnectionOn) {
    int fresh = connect_to(port_);
    int idle = connect_to(port_);
    int half = connect_to(port_);
    int busy = connect_to(port_);
    put(idle, kGet);
    take_answer(idle);
    put(half, "GET /ha");
    put(busy, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGet));
    std::this_thread::sleep_for(50ms);
    drain(true);
    std::string slow = take_answer(busy);
    EXPECT_EQ(body_of(slow), "/slow|");
    EXPECT_EQ(slow.find("Connection: close"), slow.npos);
    ASSERT_TRUE(drained());
    stop();
    ASSERT_EQ(echo_.handed.size(), 4u);
    std::multiset<std::string> unread;
    for (Connection& connection : echo_.handed) unread.insert(connection.unread);
    EXPECT_EQ(unread, (std::multiset<std::string>{"", "", "GET /ha", std::string(kGet)}));

    // Another server goes on where this one stopped.
    asio::io_context io{1};
    Echo echo(io);
    Server next(io, echo);
    for (Connection& connection : std::exchange(echo_.handed, {}))
        next.adopt(std::move(connection));
    std::thread thread([&] { io.run(); });
    put(half, "lf HTTP/1.1\r\nHost: h\r\n\r\n");
    put(fresh, kGet);
    put(idle, kGet);
    EXPECT_EQ(body_of(take_answer(half)), "/half|");
    for (int fd : {fresh, idle, busy}) EXPECT_EQ(body_of(take_answer(fd)), "/a|");
    io.stop();
    thread.join();
    for (int fd : {fresh, idle, half, busy}) close(fd);
}

TEST_F(HttpHandover, DrainEndsStreams) {
    int fd = connect_to(port_);
    put(fd, "GET /forever HTTP/1.1\r\nHost: h\r\n\r\n");
    take(fd, 300);
    drain(true);
    EXPECT_TRUE(drained());
    take(fd);  // to its end
    close(fd);
}

TEST_F(HttpHandover, DrainWithoutHeirFinishesWhatItBegan) {
    int idle = connect_to(port_);
    put(idle, kGet);
    take_answer(idle);
    int busy = connect_to(port_);
    put(busy, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    std::this_thread::sleep_for(50ms);
    drain(false);
    EXPECT_EQ(take(idle), "");
    std::string answer = take(busy);
    EXPECT_NE(answer.find("Connection: close\r\n"), answer.npos);
    EXPECT_EQ(body_of(answer), "/slow|");
    EXPECT_TRUE(drained());
    close(idle);
    close(busy);
}

// Requests are sent while servers hand the connections to and fro: each is answered once.
TEST_F(HttpHandover, HandOversUnderLoadLoseNothing) {
    std::vector<int> clients;
    for (int i = 0; i < 8; ++i) clients.push_back(connect_to(port_));
    std::atomic<bool> stopping = false;
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int fd : clients) {
        threads.emplace_back([&, fd] {
            for (int i = 0; !stopping; ++i) {
                std::string path = "/" + std::to_string(i);
                std::string wire =
                    "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n";
                put(fd, wire);
                put(fd, "x");
                ASSERT_EQ(body_of(take_answer(fd)), path + "|x");
                ++answered;
            }
        });
    }
    for (int swap = 0; swap < 100; ++swap) {
        std::this_thread::sleep_for(2ms);
        drained_ = {};
        drain(true);
        ASSERT_TRUE(drained());
        on_server([&] {
            ASSERT_EQ(echo_.handed.size(), clients.size());
            server_.emplace(io_, echo_);
            for (Connection& c : std::exchange(echo_.handed, {})) server_->adopt(std::move(c));
        });
    }
    stopping = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(answered.load(), 500);
    for (int fd : clients) close(fd);
}

}  // namespace
}  // namespace svc::http::server_test
