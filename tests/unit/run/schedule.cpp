// The times of a schedule that run, and times that passed while no server ran.
#include <gtest/gtest.h>

#include <vector>

#include "run/engine/schedule.hpp"

namespace svc::run {
namespace {

constexpr Instant kSec = 1'000'000, kMin = 60 * kSec, kHour = 60 * kMin;
constexpr Instant kMidnight = 1'767'225'600 * kSec;  // of the first day of 2026, UTC

Schedule hourly(const char* catch_up) {
    const std::string spec = R"({"kind":"cron","cron":"30 * * * *","tz":"UTC","catchUp":")" +
                             std::string(catch_up) + "\"}";
    return Schedule::read(spec, kMidnight).value();
}

std::vector<Instant> planned(const Due& due) {
    std::vector<Instant> out;
    for (const Tick& tick : due.ticks) out.push_back(tick.planned - kMidnight);
    return out;
}

using Times = std::vector<Instant>;

TEST(RunSchedule, NothingIsDueBeforeItsTime) {
    const Due found = due(hourly("last"), kMidnight, kMidnight + 29 * kMin, true);
    EXPECT_TRUE(found.ticks.empty());
    EXPECT_EQ(found.next, kMidnight + 30 * kMin);
}

TEST(RunSchedule, EachTimeRunsWhileSomebodyLooks) {
    for (const char* catch_up : {"last", "skip", "all"}) {
        const Due found = due(hourly(catch_up), kMidnight, kMidnight + 2 * kHour, false);
        EXPECT_EQ(planned(found), (Times{30 * kMin, 90 * kMin})) << catch_up;
        EXPECT_EQ(found.ticks.front().next, kMidnight + 90 * kMin);
        EXPECT_EQ(found.next, kMidnight + 150 * kMin);
    }
}

TEST(RunSchedule, OfMissedTimesTheNewestTheFreshOrAll) {
    const Instant now = kMidnight + 10 * kHour;
    EXPECT_EQ(planned(due(hourly("last"), kMidnight, now, true)), (Times{9 * kHour + 30 * kMin}));
    EXPECT_EQ(planned(due(hourly("skip"), kMidnight, now, true)), Times());
    EXPECT_EQ(planned(due(hourly("all"), kMidnight, now, true)).size(), 10U);
    EXPECT_EQ(due(hourly("skip"), kMidnight, now, true).next, now + 30 * kMin);
    const Instant fresh = kMidnight + 30 * kMin + 59 * kSec;
    EXPECT_EQ(planned(due(hourly("skip"), kMidnight, fresh, true)), (Times{30 * kMin}));
    EXPECT_EQ(planned(due(hourly("skip"), kMidnight, fresh + kSec, true)), Times());
}

TEST(RunSchedule, WhatIsDoneDoesNotComeAgain) {
    const Instant after = kMidnight + 30 * kMin;
    EXPECT_EQ(planned(due(hourly("last"), after, after + kMin, true)), Times());
    EXPECT_EQ(planned(due(hourly("all"), after, after + kHour, true)), (Times{90 * kMin}));
}

TEST(RunSchedule, AYearOfMissedMinutesIsLookedThroughAtOnce) {
    const auto every_minute =
        Schedule::read(R"({"kind":"cron","cron":"* * * * *","tz":"UTC"})", kMidnight).value();
    const Instant now = kMidnight + 365 * 24 * kHour + 5;
    const Due found = due(every_minute, kMidnight, now, true);
    EXPECT_EQ(planned(found), (Times{365 * 24 * kHour}));
    const auto rare =
        Schedule::read(R"({"kind":"cron","cron":"0 0 29 2 *","tz":"UTC"})", kMidnight).value();
    EXPECT_EQ(planned(due(rare, kMidnight - 900 * 24 * kHour, kMidnight, true)),
              (Times{-(306 + 366) * 24 * kHour + 0}));
}

TEST(RunSchedule, AThousandTimesAtOnceAtMost) {
    const auto each_second =
        Schedule::read(R"({"kind":"every","seconds":1,"catchUp":"all"})", kMidnight).value();
    const Due found = due(each_second, kMidnight, kMidnight + kHour, true);
    EXPECT_EQ(found.ticks.size(), 1000U);
    EXPECT_EQ(found.next, kMidnight + 1001 * kSec);
}

TEST(RunSchedule, EveryCountsFromTheFirstApply) {
    const Instant since = kMidnight + 7 * kSec + 123;
    const auto every = Schedule::read(R"({"kind":"every","seconds":60})", since).value();
    EXPECT_EQ(every.next(since), since + kMin);
    EXPECT_EQ(every.next(since - kHour), since + kMin);
    EXPECT_EQ(every.next(since + kMin), since + 2 * kMin);
    EXPECT_EQ(every.next(since + kMin - 1), since + kMin);
}

TEST(RunSchedule, IsNoneWithoutATime) {
    for (const char* spec : {"", "{}", R"({"kind":"every"})", R"({"kind":"every","seconds":0})",
                             R"({"kind":"cron","cron":"* * *","tz":"UTC"})",
                             R"({"kind":"cron","cron":"* * * * *","tz":"Europe/Nowhere"})",
                             R"({"kind":"every","seconds":5,"catchUp":"some"})"})
        EXPECT_FALSE(Schedule::read(spec, kMidnight)) << spec;
}

}  // namespace
}  // namespace svc::run
