// The server over real sockets: what a client sees, and that a drain loses nothing.
#include "http/server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <optional>
#include <set>
#include <thread>

namespace svc::http {
namespace {

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

int connect_to(unsigned short port) {
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

void put(int fd, std::string_view text) {
    ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

// Reads until `enough` bytes, or to the end.
std::string take(int fd, std::size_t enough = std::string::npos) {
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
std::string take_answer(int fd, bool with_body = true) {
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

std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
}

class HttpServer : public testing::Test {
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

TEST_F(HttpServer, ClosesOnceAskedTo) {
    int fd = connect_to(port_);
    put(fd, "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    std::string answer = take(fd);
    EXPECT_NE(answer.find("Connection: close\r\n"), answer.npos);
    close(fd);
}

TEST_F(HttpServer, EndsIdleAndSlowConnections) {
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

TEST_F(HttpServer, TurnsAwayWhatIsTooMuch) {
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

TEST_F(HttpServer, AnIdleConnectionGoesWhereThereIsNoRoomForANewOne) {
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

TEST_F(HttpServer, ATrustedProxysConnectionsAreCountedTogetherWithAllOthersOnly) {
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

TEST_F(HttpServer, HandsOffWhatIsNotItsOwn) {
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

TEST_F(HttpServer, DrainHandsEveryConnectionOn) {
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

TEST_F(HttpServer, DrainEndsStreams) {
    int fd = connect_to(port_);
    put(fd, "GET /forever HTTP/1.1\r\nHost: h\r\n\r\n");
    take(fd, 300);
    drain(true);
    EXPECT_TRUE(drained());
    take(fd);  // to its end
    close(fd);
}

TEST_F(HttpServer, TellsTheClientBehindATrustedProxy) {
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

TEST_F(HttpServer, DrainWithoutHeirFinishesWhatItBegan) {
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
TEST_F(HttpServer, HandOversUnderLoadLoseNothing) {
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
}  // namespace svc::http
