#include "identity/user/cache.hpp"

#include <gtest/gtest.h>

#include <string>

namespace svc::identity {
namespace {

using TestCache = Cache<std::string, int>;
using std::chrono::seconds;

const TestCache::Clock::time_point kNow{seconds(1000)};

TEST(Cache, KeepsForItsTime) {
    TestCache cache(10, seconds(60));
    cache.put("a", std::make_shared<int>(1), kNow);
    ASSERT_TRUE(cache.find("a", kNow + seconds(59)));
    EXPECT_EQ(*cache.find("a", kNow + seconds(59)), 1);
    EXPECT_FALSE(cache.find("a", kNow + seconds(60)));
    EXPECT_FALSE(cache.find("b", kNow));
}

TEST(Cache, DropsTheLeastRecentlyUsed) {
    TestCache cache(2, seconds(60));
    cache.put("a", std::make_shared<int>(1), kNow);
    cache.put("b", std::make_shared<int>(2), kNow);
    cache.find("a", kNow);
    cache.put("c", std::make_shared<int>(3), kNow);
    EXPECT_EQ(cache.size(), 2U);
    EXPECT_TRUE(cache.find("a", kNow));
    EXPECT_FALSE(cache.find("b", kNow));
}

TEST(Cache, PutsAnewAndErases) {
    TestCache cache(2, seconds(60));
    cache.put("a", std::make_shared<int>(1), kNow);
    cache.put("a", std::make_shared<int>(2), kNow + seconds(60));
    EXPECT_EQ(*cache.find("a", kNow + seconds(61)), 2);
    cache.erase("a");
    cache.erase("a");
    EXPECT_EQ(cache.size(), 0U);
}

}  // namespace
}  // namespace svc::identity
