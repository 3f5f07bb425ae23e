// How long svcd waits before it starts an app's server again.
#include <gtest/gtest.h>

#include <vector>

#include "apps/process/restart_pause.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

std::vector<long> pauses(RestartPause& pause, int count) {
    std::vector<long> out;
    for (int i = 0; i < count; ++i) out.push_back(pause.next().count());
    return out;
}

TEST(RestartPause, GrowsWhileNoServerIsReady) {
    RestartPause pause;
    const std::vector<long> expected{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000};
    EXPECT_EQ(pauses(pause, 9), expected);
}

TEST(RestartPause, IsAtMostASecondIfServersAreReadyBeforeTheyEnd) {
    RestartPause pause;
    std::vector<long> found;
    for (int i = 0; i < 6; ++i) {
        pause.note_end(300ms);
        found.push_back(pause.next().count());
    }
    EXPECT_EQ(found, (std::vector<long>{100, 200, 400, 800, 1000, 1000}));
}

TEST(RestartPause, BeginsAnewAfterALongLifeAndForAnotherServer) {
    RestartPause pause;
    pauses(pause, 5);
    pause.note_end(60s);
    EXPECT_EQ(pause.next(), 100ms);
    pause.reset();
    EXPECT_EQ(pause.next(), 100ms);
}

}  // namespace
}  // namespace svc::devapi
