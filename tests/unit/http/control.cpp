#include "http/listen/control.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace svc::http {
namespace {

using namespace std::chrono_literals;

class Control : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/svc-control-XXXXXX";
        folder_ = mkdtemp(name);
        path_ = folder_ + "/line";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // Both ends of a connection, connected through the listener.
    void connect() {
        listener_.emplace(io_, path_,
                          [this](std::shared_ptr<ControlConnection> peer) { app_ = peer; });
        svcd_ = ControlConnection::connect(io_, path_);
        while (!app_) io_.run_one_for(1s);
    }
    void collect(const std::shared_ptr<ControlConnection>& connection) {
        connection->start([this](Message message) { received_.push_back(std::move(message)); },
                          [this] { closed_ = true; });
    }
    void run_until(const std::function<bool()>& done) {
        auto end = std::chrono::steady_clock::now() + 5s;
        while (!done() && std::chrono::steady_clock::now() < end) io_.run_one_for(100ms);
        ASSERT_TRUE(done());
    }

    asio::io_context io_{1};
    std::string folder_, path_;
    std::optional<ControlListener> listener_;
    std::shared_ptr<ControlConnection> app_, svcd_;
    std::vector<Message> received_;
    bool closed_ = false;
};

TEST_F(Control, PassesADescriptorWithUnreadBytes) {
    connect();
    collect(app_);
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    std::string unread(64 * 1024, 'u');
    svcd_->send(to_message('C', {pair[0], unread, true}));
    run_until([&] { return received_.size() == 1; });
    Connection connection = to_connection(std::move(received_[0]));
    EXPECT_TRUE(connection.must_serve);
    EXPECT_EQ(connection.unread, unread);
    EXPECT_NE(fcntl(connection.fd, F_GETFD) & FD_CLOEXEC, 0);
    ASSERT_EQ(write(pair[1], "hello", 5), 5);
    char text[5];
    EXPECT_EQ(read(connection.fd, text, 5), 5);
    close(connection.fd);
    close(pair[1]);
}

TEST_F(Control, HandsBackWithoutTheMark) {
    Message message = to_message('H', {7, "GET", true});
    EXPECT_EQ(message.payload, "GET");
    Connection connection = to_connection(std::move(message));
    EXPECT_EQ(connection.fd, 7);
    EXPECT_EQ(connection.unread, "GET");
}

TEST_F(Control, QueuesWhatThePeerDoesNotReadAndSaysItBeforeTheEnd) {
    connect();
    for (int i = 0; i < 100; ++i) {
        int pair[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        close(pair[1]);
        app_->send(to_message('H', {pair[0], std::to_string(i) + std::string(40000, 'x'), false}));
    }
    bool sent = false;
    app_->send({'B', {}, -1});
    app_->finish([&] { sent = true; });
    EXPECT_FALSE(sent);
    collect(svcd_);
    run_until([&] { return closed_; });
    EXPECT_TRUE(sent);
    ASSERT_EQ(received_.size(), 101u);
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(received_[i].payload.starts_with(std::to_string(i) + "x"));
        close(received_[i].fd);
    }
    EXPECT_EQ(received_[100].kind, 'B');
}

TEST_F(Control, ReplacesAStaleSocketAndNothingElse) {
    connect();
    struct stat found {};
    ASSERT_EQ(stat(path_.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0600u);
    listener_.reset();
    app_.reset();
    connect();  // the path is still there
    std::string file = folder_ + "/file";
    close(open(file.c_str(), O_CREAT | O_WRONLY, 0600));
    EXPECT_THROW(ControlListener(io_, file, {}), std::system_error);
    EXPECT_THROW(ControlListener(io_, std::string(200, 'x'), {}), std::system_error);
}

TEST_F(Control, SaysOnceThatThePeerIsGone) {
    connect();
    collect(app_);
    svcd_->close();
    run_until([&] { return closed_; });
    app_->send({'R', {}, -1});  // into the void, without harm
}

TEST_F(Control, HandsOverWhatCameBeforeItIsReplaced) {
    connect();
    collect(app_);
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    svcd_->send(to_message('C', {pair[0], "GET", true}));
    app_->send({'K', {}, -1});
    EXPECT_TRUE(app_->replace().empty());
    ASSERT_EQ(received_.size(), 1u);
    EXPECT_EQ(to_connection(received_[0]).unread, "GET");
    EXPECT_FALSE(closed_);
    close(received_[0].fd);
    close(pair[1]);
}

TEST_F(Control, GivesBackWhatAReplacedPeerDoesNotTake) {
    connect();
    collect(app_);
    std::vector<Message> unsent;
    bool gone = false;
    svcd_->start([](const Message&) {}, [&] { gone = true; });
    svcd_->give_back([&](Message message) { unsent.push_back(std::move(message)); });
    app_->replace();
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    svcd_->send(to_message('C', {pair[0], "GET", true}));
    EXPECT_TRUE(unsent.empty());
    run_until([&] { return !unsent.empty() && gone; });
    ASSERT_EQ(unsent.size(), 1u);
    const Connection connection = to_connection(std::move(unsent[0]));
    EXPECT_EQ(connection.unread, "GET");
    EXPECT_NE(fcntl(connection.fd, F_GETFD), -1);
    close(connection.fd);
    close(pair[1]);
}

TEST_F(Control, ReturnsWhatItHadNotSentItself) {
    connect();
    constexpr int kMany = 200;
    for (int i = 0; i < kMany; ++i) {
        int pair[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        close(pair[1]);
        app_->send(to_message('H', {pair[0], std::to_string(i) + std::string(40000, 'x'), false}));
    }
    std::deque<Message> unsent = app_->replace();
    EXPECT_FALSE(unsent.empty());
    collect(svcd_);
    run_until([&] { return closed_; });
    EXPECT_EQ(received_.size() + unsent.size(), std::size_t{kMany});
    for (const Message& message : received_) close(message.fd);
    for (const Message& message : unsent) close(message.fd);
}

}  // namespace
}  // namespace svc::http
