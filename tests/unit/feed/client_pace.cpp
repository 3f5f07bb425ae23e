#include "feed/stream/client_pace.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/offered_window.hpp"

namespace svc::feed {
namespace {

constexpr std::uint32_t kWindow = 64U << 10;

// Sends as much in pieces, of which the client reads this share.
std::uint32_t sent(ClientPace& pace, std::uint32_t window, std::uint32_t bytes, double share) {
    for (std::uint32_t left = bytes; left >= 2048 && window > 2048; left -= 2048) {
        pace.sent(2048);
        window -= static_cast<std::uint32_t>(2048 * (1 - share));
        if (pace.is_due()) pace.look(window);
    }
    return window;
}

TEST(FeedClientPace, one_that_reads_is_never_behind) {
    ClientPace pace;
    for (int i = 0; i < 1000; ++i) {
        sent(pace, kWindow, 2048, 1);
        ASSERT_FALSE(pace.is_behind());
    }
}

TEST(FeedClientPace, one_that_never_reads_is_soon_behind) {
    ClientPace pace;
    sent(pace, kWindow, 4096, 0);
    EXPECT_FALSE(pace.is_behind());
    sent(pace, kWindow - 4096, 8192, 0);
    EXPECT_TRUE(pace.is_behind());
}

TEST(FeedClientPace, one_that_has_read_may_be_late_for_a_moment) {
    ClientPace pace;
    sent(pace, kWindow, 16384, 1);
    const std::uint32_t window = sent(pace, kWindow, 16384, 0);
    EXPECT_FALSE(pace.is_behind());
    sent(pace, window, 32768, 0);
    EXPECT_TRUE(pace.is_behind());
}

TEST(FeedClientPace, one_that_reads_again_is_not_behind_any_more) {
    ClientPace pace;
    const std::uint32_t window = sent(pace, kWindow, 16384, 0);
    ASSERT_TRUE(pace.is_behind());
    // Nothing was sent: the same window says nothing.
    pace.look(window);
    EXPECT_TRUE(pace.is_behind());
    pace.sent(100);
    pace.look(kWindow);
    EXPECT_FALSE(pace.is_behind());
}

// The kernel of the client may offer less than once, for good.
TEST(FeedClientPace, a_narrower_window_is_not_a_client_that_is_behind) {
    ClientPace pace;
    sent(pace, kWindow, 16384, 0);
    ASSERT_TRUE(pace.is_behind());
    pace.sent(100);
    pace.look(kWindow - 16384);
    EXPECT_FALSE(pace.is_behind());
    sent(pace, kWindow - 16384, 16384, 1);
    EXPECT_FALSE(pace.is_behind());
}

TEST(FeedClientPace, an_unknown_window_holds_nobody_up) {
    ClientPace pace;
    for (int i = 0; i < 100; ++i) {
        pace.sent(4096);
        pace.look(std::nullopt);
    }
    EXPECT_FALSE(pace.is_behind());
}

struct Pair {
    int client = -1, server = -1;

    Pair() {
        const int listener = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        bind(listener, reinterpret_cast<sockaddr*>(&address), size);
        listen(listener, 1);
        getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
        client = socket(AF_INET, SOCK_STREAM, 0);
        connect(client, reinterpret_cast<sockaddr*>(&address), size);
        server = accept(listener, nullptr, nullptr);
        close(listener);
    }
    ~Pair() {
        close(client);
        close(server);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
};

// Pieces of so many bytes, until it is behind or all are sent.
bool falls_behind(std::size_t piece, bool reads) {
    Pair pair;
    ClientPace pace;
    std::string bytes(piece, 'x');
    for (std::size_t left = 256U << 10; left > piece; left -= piece) {
        if (pace.is_due()) pace.look(base::offered_window(pair.server));
        if (pace.is_behind()) return true;
        const ssize_t sent = send(pair.server, bytes.data(), piece, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) return true;
        pace.sent(static_cast<std::size_t>(sent));
        std::string got(piece, '\0');
        if (reads) recv(pair.client, got.data(), piece, MSG_WAITALL);
    }
    return false;
}

TEST(FeedClientPace, the_kernel_says_who_reads) {
    EXPECT_FALSE(falls_behind(300, true));
    EXPECT_FALSE(falls_behind(2200, true));
    EXPECT_TRUE(falls_behind(2200, false));
}

TEST(FeedClientPace, a_socket_of_another_kind_has_no_window) {
    std::array<int, 2> pair{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
    EXPECT_EQ(base::offered_window(pair[0]), std::nullopt);
    close(pair[0]);
    close(pair[1]);
}

}  // namespace
}  // namespace svc::feed
