// Which definitions share a transaction with others.
#include "run/engine/pace.hpp"

#include <gtest/gtest.h>

namespace svc::run {
namespace {

using namespace std::chrono_literals;
const Pace::Clock::time_point kNow{};

TEST(RunPace, OneLateAdvanceSaysLittle) {
    Pace pace;
    for (const double ms : {40.0, 3.0, 40.0, 40.0, 3.0}) pace.took("a", ms, kNow);
    EXPECT_TRUE(pace.slow(kNow).empty());
}

TEST(RunPace, ThreeInARowAreSlowForAWhile) {
    Pace pace;
    for (int i = 0; i < 3; ++i) pace.took("a", 40, kNow);
    pace.took("b", 40, kNow);
    EXPECT_EQ(pace.slow(kNow), std::vector<std::string>{"a"});
    EXPECT_TRUE(pace.slow(kNow + 31s).empty());
}

TEST(RunPace, WhatIsStillSlowAfterwardsIsSlowAtOnce) {
    Pace pace;
    for (int i = 0; i < 4; ++i) pace.took("a", 40, kNow + i * 20s);
    EXPECT_EQ(pace.slow(kNow + 80s), std::vector<std::string>{"a"});
    pace.took("a", 2, kNow + 100s);
    EXPECT_TRUE(pace.slow(kNow + 100s).empty());
}

TEST(RunPace, ThoseThatWereLateAloneAreKnownAsWell) {
    Pace pace;
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(pace.is_slow("a", kNow));
        pace.was_late("a", kNow);
    }
    EXPECT_TRUE(pace.is_slow("a", kNow));
    EXPECT_FALSE(pace.is_slow("a", kNow + 31s));
    EXPECT_FALSE(pace.is_slow("b", kNow));
    EXPECT_FALSE(pace.is_slow("", kNow)) << "it is not known";
}

}  // namespace
}  // namespace svc::run
