// The position of feeds that pages share.
#include "feed/recent_place.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace svc::feed {
namespace {

using namespace std::chrono_literals;

class RecentPlaceTest : public testing::Test {
  protected:
    // Answers with the number of the question; empty while the database is away.
    Task<std::string> read() {
        ++questions_;
        if (writes_meanwhile) changes.notify();
        co_return away ? std::string() : std::to_string(questions_);
    }
    std::string ask(std::chrono::milliseconds at) {
        std::string out;
        asio::io_context io;
        asio::co_spawn(io, place.cursor(RecentPlace::Clock::time_point(1h + at)),
                       [&out](const std::exception_ptr& error, std::string cursor) {
                           if (error) std::rethrow_exception(error);
                           out = std::move(cursor);
                       });
        io.run();
        return out;
    }

    CommitSignal changes;
    RecentPlace place{changes, [this] { return read(); }};
    bool away = false, writes_meanwhile = false;

  private:
    int questions_ = 0;
};

TEST_F(RecentPlaceTest, IsSharedForAMoment) {
    EXPECT_EQ(ask(0ms), "1");
    EXPECT_EQ(ask(999ms), "1");
    EXPECT_EQ(ask(1000ms), "2");
    EXPECT_EQ(ask(1999ms), "2");
}

TEST_F(RecentPlaceTest, IsReadAgainAfterACommit) {
    EXPECT_EQ(ask(0ms), "1");
    changes.notify();
    EXPECT_EQ(ask(0ms), "2");
    EXPECT_EQ(ask(1ms), "2");
}

TEST_F(RecentPlaceTest, DoesNotStayWhereACommitCameWhileItWasRead) {
    writes_meanwhile = true;
    EXPECT_EQ(ask(0ms), "1");
    writes_meanwhile = false;
    EXPECT_EQ(ask(1ms), "2");
    EXPECT_EQ(ask(2ms), "2");
}

TEST_F(RecentPlaceTest, AsksAgainWhereTheDatabaseWasAway) {
    away = true;
    EXPECT_EQ(ask(0ms), "");
    away = false;
    EXPECT_EQ(ask(1ms), "2");
}

}  // namespace
}  // namespace svc::feed
