#include "cli/app/patience.hpp"

#include <gtest/gtest.h>

namespace svc::cli {
namespace {

using namespace std::chrono_literals;

constexpr Patience::Clock::time_point kBegin{};

TEST(CliPatience, WaitsLongerEachTime) {
    Patience patience;
    EXPECT_EQ(patience.next(kBegin, 0), 250ms);
    EXPECT_EQ(patience.next(kBegin + 1s, 0), 500ms);
    EXPECT_EQ(patience.next(kBegin + 2s, 1), 500ms) << "as little as half";
    for (int i = 0; i < 10; ++i) patience.next(kBegin + 3s, 0);
    EXPECT_EQ(patience.next(kBegin + 4s, 0), 5s);
}

TEST(CliPatience, EndsWhenTheOutageHasLastedTooLong) {
    Patience patience;
    EXPECT_TRUE(patience.next(kBegin, 0));
    EXPECT_TRUE(patience.next(kBegin + 119s, 0));
    EXPECT_FALSE(patience.next(kBegin + 2min, 0));
    patience.reset();
    EXPECT_EQ(patience.next(kBegin + 2min, 0), 250ms) << "another outage";
}

}  // namespace
}  // namespace svc::cli
