// Local times and times of cron against the C library's own reading of the same zones, minute by
// minute.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time/cron.hpp"
#include "base/time/zone.hpp"

namespace svc::base {
namespace {

constexpr std::int64_t kYear2026 = 1767225600, kYear2036 = 2082758400, kYear2040 = 2208988800;

// While it lives, localtime is of this zone.
class LibraryZone {
  public:
    explicit LibraryZone(const char* name) {
        if (const char* was = std::getenv("TZ")) was_ = was;
        set(name);
    }
    ~LibraryZone() { set(was_ ? was_->c_str() : nullptr); }
    LibraryZone(const LibraryZone&) = delete;
    LibraryZone& operator=(const LibraryZone&) = delete;

    static std::tm at(std::int64_t instant) {
        const std::time_t time = instant;
        std::tm out{};
        localtime_r(&time, &out);
        return out;
    }
    static std::int64_t local(std::int64_t instant) { return instant + at(instant).tm_gmtoff; }

  private:
    static void set(const char* name) {
        if (name)
            setenv("TZ", name, 1);
        else
            unsetenv("TZ");
        tzset();
    }
    std::optional<std::string> was_;
};

struct Case {
    const char* text;
    bool fixed;  // hours are given
    std::function<bool(const std::tm&)> fits;
};

std::tm broken_down(std::int64_t local) {
    const std::time_t time = local;
    std::tm out{};
    gmtime_r(&time, &out);
    return out;
}

using Times = std::vector<std::int64_t>;

// Does it count in this minute, in which the clock shows `shown`, after it showed `greatest` at
// most?
bool counts(const Case& of, const std::tm& at, std::int64_t shown, std::int64_t greatest) {
    if (!of.fixed) return of.fits(at);
    bool out = shown > greatest && of.fits(at);
    for (std::int64_t leapt = greatest + 60; !out && leapt < shown; leapt += 60)
        out = of.fits(broken_down(leapt));
    return out;
}

// Walks every minute: a fixed time counts when the clock shows it for the first time, or in the
// minute in which the clock has leapt over it.
std::vector<Times> walked(const std::vector<Case>& cases, std::int64_t begin, std::int64_t end) {
    std::vector<Times> out(cases.size());
    std::int64_t greatest = LibraryZone::local(begin - 60);
    for (std::int64_t now = begin; now < end; now += 60) {
        const std::tm at = LibraryZone::at(now);
        const std::int64_t shown = now + at.tm_gmtoff;
        for (std::size_t i = 0; i < cases.size(); ++i)
            if (counts(cases[i], at, shown, greatest)) out[i].push_back(now);
        greatest = std::max(greatest, shown);
    }
    return out;
}

Times reckoned(const char* text, const Zone& zone, std::int64_t begin, std::int64_t end) {
    const auto cron = Cron::read(text);
    Times out;
    auto next = next_time(*cron, zone, begin - 1);
    for (; next && *next < end; next = next_time(*cron, zone, *next)) out.push_back(*next);
    return out;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"30 2 * * *", true, [](const std::tm& t) { return t.tm_min == 30 && t.tm_hour == 2; }},
        {"15 0 * * *", true, [](const std::tm& t) { return t.tm_min == 15 && t.tm_hour == 0; }},
        {"45 1 * * 0,6", true,
         [](const std::tm& t) {
             return t.tm_min == 45 && t.tm_hour == 1 && (t.tm_wday == 0 || t.tm_wday == 6);
         }},
        {"*/20 1-3 * * *", true,
         [](const std::tm& t) { return t.tm_min % 20 == 0 && t.tm_hour >= 1 && t.tm_hour <= 3; }},
        {"45 * * * *", false, [](const std::tm& t) { return t.tm_min == 45; }},
        {"*/10 * * mar-apr,9,10 7", false,
         [](const std::tm& t) {
             const bool month = t.tm_mon == 2 || t.tm_mon == 3 || t.tm_mon == 8 || t.tm_mon == 9;
             return t.tm_min % 10 == 0 && month && t.tm_wday == 0;
         }},
        {"0 */3 * * *", false,
         [](const std::tm& t) { return t.tm_min == 0 && t.tm_hour % 3 == 0; }},
        {"0 9 1,15 * mon", true,
         [](const std::tm& t) {
             const bool day = t.tm_mday == 1 || t.tm_mday == 15;
             return t.tm_min == 0 && t.tm_hour == 9 && (day || t.tm_wday == 1);
         }},
    };
    return all;
}

void same_times(const char* name, std::int64_t begin, std::int64_t end) {
    const LibraryZone library(name);
    const auto zone = Zone::load(name);
    ASSERT_TRUE(zone);
    const std::vector<Times> expected = walked(cases(), begin, end);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Case& each = cases()[i];
        SCOPED_TRACE(std::string(name) + " " + each.text);
        EXPECT_GT(expected[i].size(), 100U);
        EXPECT_EQ(reckoned(each.text, *zone, begin, end), expected[i]);
    }
}

TEST(Cron, TenYearsInZonesWhoseClocksChange) {
    same_times("Europe/Paris", kYear2026, kYear2036);
    same_times("Australia/Lord_Howe", kYear2026, kYear2036);  // by half an hour
    same_times("America/Santiago", kYear2026, kYear2036);     // at midnight
}

TEST(Cron, YearsThatOnlyTheRuleOfAZoneKnows) {
    same_times("Europe/Paris", kYear2040, kYear2040 + 2 * 365 * std::int64_t{86400});
    same_times("America/Santiago", kYear2040, kYear2040 + 2 * 365 * std::int64_t{86400});
}

TEST(Zone, ShowsWhatTheLibraryShows) {
    for (const char* name : {"Europe/Paris", "Australia/Lord_Howe", "America/Santiago",
                             "Africa/Casablanca", "Asia/Kolkata", "Pacific/Apia", "UTC"}) {
        const LibraryZone library(name);
        const auto zone = Zone::load(name);
        ASSERT_TRUE(zone) << name;
        for (std::int64_t at = -3'000'000'000; at < 4'000'000'000; at += 40'009)
            ASSERT_EQ(at + zone->offset(at), LibraryZone::local(at)) << name << " " << at;
    }
}

TEST(Zone, SpansMeet) {
    const auto zone = Zone::load("America/Santiago");
    ASSERT_TRUE(zone);
    std::int64_t at = kYear2026;
    for (int i = 0; i < 60; ++i) {
        const ZoneSpan span = zone->span(at);
        EXPECT_LE(span.begin, at);
        ASSERT_GT(span.end, at);
        EXPECT_EQ(zone->span(span.end - 1).offset, span.offset);
        EXPECT_EQ(zone->span(span.end).begin, span.end);
        at = span.end;
    }
}

TEST(Zone, IsNoneWithoutItsFile) {
    EXPECT_FALSE(Zone::load("Europe/Nowhere"));
    EXPECT_FALSE(Zone::load("../../../etc/passwd"));
    EXPECT_FALSE(Zone::read(""));
    EXPECT_FALSE(Zone::read("TZif2 and nothing behind it, though it is longer than a header"));
}

TEST(Cron, RefusesPartsThatNoTimeMatches) {
    for (const char* sound : {"* * * * *", "*/15 9-17 * * mon-fri", "0 0 1,15 jan,Jul 7",
                              "5-59/10 0 31 12 0", "0 9-17/2 * * *", "0 0 31 2 1", "0 0 29 2 *",
                              "0 0 28-31 2 *", "0 0 31 2,3 *", "0 0 */2 2 *"}) {
        EXPECT_EQ(cron_problem(sound), "") << sound;
    }
    for (const char* wrong :
         {"", "0 0 31 2 *", "0 0 30 feb *", "0 0 31 4,6-11/3 *", "* * * *", "* * * * * *",
          "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "*/0 * * * *",
          "5/10 * * * *", "5-2 * * * *", "a * * * *", "* * * mon *", "1,,2 * * * *", "*  * * * *",
          "-1 * * * *"}) {
        EXPECT_NE(cron_problem(wrong), "") << wrong;
    }
}

TEST(Cron, RefusesTimesThatNeverCome) {
    const auto zone = Zone::load("UTC");
    EXPECT_FALSE(next_time(*Cron::read("0 0 31 2 *"), *zone, kYear2026));
    EXPECT_FALSE(Cron::read("0 0 * *"));
    EXPECT_FALSE(Cron::read("61 0 * * *"));
    EXPECT_EQ(cron_problem("0 0 30 2 */2"),
              "This time never comes: no month of the list has this day.");
    EXPECT_EQ(cron_problem("0 0 30 2 1"), "");
    const auto leap = next_time(*Cron::read("0 0 29 2 *"), *zone, kYear2026);
    EXPECT_EQ(leap, 1835395200);  // 2028
}

}  // namespace
}  // namespace svc::base
