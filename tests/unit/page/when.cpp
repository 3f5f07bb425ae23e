// Days and moments in words.
#include "page/value/when.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <string>

namespace svc::page {
namespace {

std::string seconds_ago(std::chrono::seconds past) {
    const auto at = std::chrono::system_clock::now() - past;
    const std::time_t time = std::chrono::system_clock::to_time_t(at);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
    return text;
}

TEST(PageWhen, AMomentHasTheMinuteAndExactlyTheSecond) {
    const MomentWords words = moment_words("2021-02-03T04:05:06.789Z", nullptr);
    EXPECT_EQ(words.shown, "3 Feb 2021, 04:05");
    EXPECT_EQ(words.exact, "3 Feb 2021, 04:05:06");
    EXPECT_EQ(exact_moment("2021-12-31T23:59:59Z", nullptr), "31 Dec 2021, 23:59:59");
}

TEST(PageWhen, AMomentIsOfTheZone) {
    const auto zone = base::Zone::load("Asia/Kolkata");
    ASSERT_NE(zone, nullptr);
    EXPECT_EQ(moment_words("2021-02-03T20:05:06Z", zone.get()).shown, "4 Feb 2021, 01:35");
}

TEST(PageWhen, AMomentThatIsNearIsToldByItsAge) {
    using namespace std::chrono_literals;
    EXPECT_EQ(moment_words(seconds_ago(10s), nullptr).shown, "just now");
    EXPECT_EQ(moment_words(seconds_ago(90s), nullptr).shown, "1 minute ago");
    EXPECT_EQ(moment_words(seconds_ago(5h + 1min), nullptr).shown, "5 hours ago");
    EXPECT_EQ(moment_words(seconds_ago(49h), nullptr).shown, "2 days ago");
}

TEST(PageWhen, WhatIsNoMomentStaysAsItIs) {
    EXPECT_EQ(moment_words("infinity", nullptr).shown, "infinity");
    EXPECT_EQ(moment_words("soon", nullptr).exact, "soon");
    EXPECT_EQ(day_words("2021-02-03"), "3 Feb 2021");
    EXPECT_EQ(day_words("someday"), "someday");
}

}  // namespace
}  // namespace svc::page
