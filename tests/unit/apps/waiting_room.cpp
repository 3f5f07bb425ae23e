#include "apps/process/waiting_room.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>

namespace svc::devapi {
namespace {

http::Connection numbered(int number) {
    http::Connection connection;
    connection.unread = std::to_string(number);
    return connection;
}

TEST(AppsWaitingRoom, FirstComeFirstServed) {
    asio::io_context io;
    std::string refused, served;
    WaitingRoom room(io, [&](http::Connection connection) { refused += connection.unread; });
    for (int number : {1, 2, 3}) room.add(numbered(number));
    room.empty_into([&](http::Connection connection) { served += connection.unread; });
    EXPECT_EQ(served, "123");
    room.empty_into([&](http::Connection connection) { served += connection.unread; });
    EXPECT_EQ(served, "123");
    EXPECT_EQ(refused, "");
}

TEST(AppsWaitingRoom, RefusesPastAThousand) {
    asio::io_context io;
    std::string refused;
    int served = 0;
    WaitingRoom room(io, [&](http::Connection connection) { refused += connection.unread; });
    for (int number = 0; number <= 1000; ++number) room.add(numbered(number));
    EXPECT_EQ(refused, "1000");
    room.empty_into([&](http::Connection) { ++served; });
    EXPECT_EQ(served, 1000);
}

}  // namespace
}  // namespace svc::devapi
