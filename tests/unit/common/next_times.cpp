// The next times of workflows that the clock starts, as developers read them.
#include <gtest/gtest.h>

#include "common/next_times.hpp"

namespace svc::devapi {
namespace {

constexpr std::int64_t kSec = 1'000'000;
constexpr std::int64_t kSpring = 1'774'656'000 * kSec;  // 2026-03-28T00:00:00Z, a day before summer

NextTimes cron(const std::string& text, const std::string& zone) {
    return next_times(R"({"kind":"cron","cron":")" + text + R"(","tz":")" + zone + "\"}", 0,
                      kSpring);
}

TEST(DevapiNextTimes, AreThoseOfTheClocksOfTheZone) {
    const NextTimes found = cron("0 7 * * *", "Europe/Paris");
    EXPECT_EQ(found.zone, "Europe/Paris");
    ASSERT_EQ(found.times.size(), 10U);
    EXPECT_EQ(found.times[0], "2026-03-28T07:00:00+01:00");
    EXPECT_EQ(found.times[1], "2026-03-29T07:00:00+02:00");
    EXPECT_EQ(found.times[9], "2026-04-06T07:00:00+02:00");
    EXPECT_EQ(cron("30 9 * * *", "America/St_Johns").times[0], "2026-03-28T09:30:00-02:30");
}

TEST(DevapiNextTimes, OfUtcEndWithZ) {
    const NextTimes found = cron("*/20 * * * *", "UTC");
    EXPECT_EQ(found.zone, "UTC");
    EXPECT_EQ(found.times[0], "2026-03-28T00:20:00Z");
    EXPECT_EQ(found.times[9], "2026-03-28T03:20:00Z");
}

TEST(DevapiNextTimes, OfAPeriodCountFromItsFirstApply) {
    const NextTimes found =
        next_times(R"({"kind":"every","seconds":600})", kSpring - 60 * kSec, kSpring);
    EXPECT_EQ(found.zone, "UTC");
    EXPECT_EQ(found.times[0], "2026-03-28T00:09:00Z");
    EXPECT_EQ(found.times[1], "2026-03-28T00:19:00Z");
}

TEST(DevapiNextTimes, OfOtherTriggersThereAreNone) {
    for (const char* other : {R"({"kind":"manual"})", R"({"kind":"event","table":"a"})", "null"}) {
        const NextTimes found = next_times(other, 0, kSpring);
        EXPECT_TRUE(found.zone.empty() && found.times.empty()) << other;
    }
}

}  // namespace
}  // namespace svc::devapi
