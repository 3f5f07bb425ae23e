// How many slow advances are under way beside the others.
#include "run/engine/turns.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <string>

namespace svc::run {
namespace {

class RunTurns : public testing::Test {
  protected:
    // Begins an advance, which ends with end().
    void begin(bool slow) {
        asio::co_spawn(io_, enter(slow), asio::detached);
        settle();
    }
    void end(bool slow) {
        turns_.leave(slow);
        settle();
    }

    asio::io_context io_;
    Turns turns_{io_, 4};
    std::string under_way_;  // in the order in which they began

  private:
    Task<> enter(bool slow) {
        co_await turns_.enter(slow);
        under_way_ += slow ? 's' : 'q';
    }
    void settle() {
        io_.restart();
        io_.poll();
    }
};

TEST_F(RunTurns, SlowOnesLeaveOnePlace) {
    for (int i = 0; i < 5; ++i) begin(true);
    EXPECT_EQ(under_way_, "sss");
    EXPECT_EQ(turns_.set_aside(), 2U);
    EXPECT_EQ(turns_.waiting(), 0U) << "they are in nobody's way";
    begin(false);
    begin(false);
    EXPECT_EQ(under_way_, "sssq");
    EXPECT_EQ(turns_.waiting(), 1U);
}

TEST_F(RunTurns, APlaceOfASlowOneGoesToWhoWaitsLongest) {
    for (const bool slow : {true, true, true, false, true, false}) begin(slow);
    end(true);
    EXPECT_EQ(under_way_, "sssqq") << "the slow one has waited for a place of any kind since now";
    end(false);
    EXPECT_EQ(under_way_, "sssqqs");
    EXPECT_EQ(turns_.set_aside() + turns_.waiting(), 0U);
}

TEST_F(RunTurns, OthersMayHaveAllPlaces) {
    for (int i = 0; i < 5; ++i) begin(false);
    EXPECT_EQ(under_way_, "qqqq");
    end(false);
    EXPECT_EQ(under_way_, "qqqqq");
}

}  // namespace
}  // namespace svc::run
