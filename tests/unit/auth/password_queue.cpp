#include "auth/password/fair_queue.hpp"

#include <gtest/gtest.h>

#include <string>

namespace svc::auth::password {
namespace {

struct QueueJob {
    Requester requester;
    std::string name;
};

class LineTest : public testing::Test {
  protected:
    void add(std::string name, Requester requester) {
        queue_.add(std::make_shared<QueueJob>(QueueJob{requester, std::move(name)}));
    }
    std::string next() {
        const auto job = queue_.next();
        return job ? job->name : "";
    }
    std::string drop() {
        const auto job = queue_.drop();
        return job ? job->name : "";
    }

    FairQueue<QueueJob> queue_;
};

TEST_F(LineTest, LetsAddressesTakeTurns) {
    add("a1", {1, 1});
    add("a2", {2, 1});
    add("a3", {3, 1});
    add("b1", {4, 2});
    add("c1", {5, 3});
    EXPECT_EQ(next(), "a1");
    EXPECT_EQ(next(), "b1");
    EXPECT_EQ(next(), "c1");
    EXPECT_EQ(next(), "a2");
    EXPECT_EQ(next(), "a3");
    EXPECT_EQ(next(), "");
}

TEST_F(LineTest, LetsWhoCameMeanwhileGoFirst) {
    add("a1", {1, 1});
    EXPECT_EQ(next(), "a1");
    add("a2", {1, 1});
    add("b1", {2, 2});
    queue_.ended({1, 1});
    EXPECT_EQ(next(), "b1");
    EXPECT_EQ(next(), "a2");
}

TEST_F(LineTest, RunsOneOfAnAccountAtATime) {
    add("here", {1, 1});
    add("there", {1, 2});
    add("other", {2, 1});
    EXPECT_EQ(next(), "here");
    EXPECT_EQ(next(), "other");
    EXPECT_EQ(next(), "");
    queue_.ended({1, 1});
    EXPECT_EQ(next(), "there");
}

TEST_F(LineTest, ComesToWhoeverWaitsHoweverManyCome) {
    for (int i = 0; i < 4; ++i) add("mine", {1, 1});
    int served = 0;
    for (int i = 0; i < 40; ++i) {
        const Requester fresh{100U + static_cast<unsigned>(i), 100U + static_cast<unsigned>(i)};
        add("fresh", fresh);
        const auto job = queue_.next();
        ASSERT_TRUE(job);
        if (job->name == "mine") ++served;
        queue_.ended(job->requester);
    }
    EXPECT_EQ(served, 4);
}

TEST_F(LineTest, DropsTheLastOfWhoHasMost) {
    EXPECT_EQ(drop(), "");
    add("a1", {1, 1});
    add("a2", {1, 1});
    add("b1", {2, 1});
    add("c1", {3, 3});
    EXPECT_EQ(drop(), "a2");
    EXPECT_EQ(drop(), "b1");
    EXPECT_EQ(drop(), "c1");
    EXPECT_EQ(drop(), "a1");
}

TEST_F(LineTest, CountsWhatIsNotKnownForNobody) {
    add("x", {});
    add("y", {});
    EXPECT_EQ(next(), "x");
    EXPECT_EQ(next(), "y");
    queue_.ended({});
    add("z", {});
    EXPECT_EQ(next(), "z");
}

TEST(Requester, CountsOneIPv6NetworkTogether) {
    EXPECT_EQ(requester_of("a@x.test", "2001:db8::1"), requester_of("a@x.test", "2001:db8::2"));
    EXPECT_NE(requester_of("a@x.test", "192.0.2.1"), requester_of("a@x.test", "192.0.2.2"));
    EXPECT_NE(requester_of("a@x.test", "192.0.2.1").account,
              requester_of("b@x.test", "192.0.2.1").account);
}

}  // namespace
}  // namespace svc::auth::password
