#include "identity/budget.hpp"

#include <gtest/gtest.h>

namespace svc::identity {
namespace {

using std::chrono::seconds;

const Clock::time_point kStart{seconds(1'000'000)};

TEST(Budget, CountsBrowsersAndServersApart) {
    Budget budget(2, 1);
    EXPECT_EQ(budget.take(KeyKind::browser, kStart), 0U);
    EXPECT_EQ(budget.take(KeyKind::preview, kStart), 0U);
    EXPECT_EQ(budget.take(KeyKind::browser, kStart + seconds(10)), 50U);
    EXPECT_EQ(budget.take(KeyKind::server, kStart), 0U);
    EXPECT_EQ(budget.take(KeyKind::server, kStart), 60U);
}

TEST(Budget, BeginsAnewAfterAMinute) {
    Budget budget(1, 1);
    EXPECT_EQ(budget.take(KeyKind::browser, kStart), 0U);
    EXPECT_EQ(budget.take(KeyKind::browser, kStart + seconds(59)), 1U);
    EXPECT_EQ(budget.take(KeyKind::browser, kStart + seconds(60)), 0U);
}

TEST(Budget, OfZeroIsNoLimit) {
    Budget budget(0, 0);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(budget.take(KeyKind::server, kStart), 0U);
}

TEST(Throttle, CountsEachKey) {
    Throttle throttle(2, seconds(900));
    EXPECT_EQ(throttle.take("a", kStart), 0U);
    EXPECT_EQ(throttle.take("a", kStart), 0U);
    EXPECT_EQ(throttle.take("a", kStart + seconds(1)), 899U);
    EXPECT_EQ(throttle.take("b", kStart + seconds(1)), 0U);
    EXPECT_EQ(throttle.take("a", kStart + seconds(900)), 0U);
}

TEST(Throttle, ForgetsOnReset) {
    Throttle throttle(1, seconds(900));
    EXPECT_EQ(throttle.take("a", kStart), 0U);
    throttle.reset("a");
    EXPECT_EQ(throttle.take("a", kStart + seconds(1)), 0U);
    EXPECT_NE(throttle.take("a", kStart + seconds(2)), 0U);
}

TEST(Throttle, GivesBackOne) {
    Throttle throttle(2, seconds(900));
    throttle.take("a", kStart);
    throttle.take("a", kStart);
    throttle.give_back("a");
    EXPECT_EQ(throttle.take("a", kStart), 0U);
    EXPECT_NE(throttle.take("a", kStart), 0U);
}

TEST(Throttle, StaysBounded) {
    Throttle throttle(1, seconds(900), 100);
    for (int i = 0; i < 1000; ++i) throttle.take(std::to_string(i), kStart + seconds(i % 3));
    EXPECT_LE(throttle.size(), 100U);
    EXPECT_NE(throttle.take("999", kStart + seconds(3)), 0U);
    EXPECT_EQ(throttle.take("0", kStart + seconds(3)), 0U);
    throttle.take("late", kStart + seconds(2000));
    EXPECT_EQ(throttle.size(), 1U);
}

}  // namespace
}  // namespace svc::identity
