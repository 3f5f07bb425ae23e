// The limits of workers for long calls, and the order of waiting calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <string>
#include <vector>

#include "service/long_calls.hpp"

namespace svc::devapi {
namespace {

using Order = std::vector<std::string>;

Task<> enters(LongCalls& calls, LongCalls::Owner owner, std::string name, Order& order) {
    const bool entered = co_await calls.enter(owner);
    order.push_back((entered ? "" : "not ") + name);
}

class LongCallsTest : public ::testing::Test {
  protected:
    void enter(const LongCalls::Owner& owner, const std::string& name) {
        asio::co_spawn(io_, enters(calls_, owner, name, order_), asio::detached);
        io_.restart();
        io_.poll();
    }
    // Until nobody waits any more.
    void wait() {
        io_.restart();
        io_.run();
    }

    asio::io_context io_;
    LongCalls calls_{{4, 2, 2, std::chrono::seconds(0)}};
    LongCalls patient_{{4, 2, 2, std::chrono::hours(1)}};
    Order order_;
    const LongCalls::Owner greedy_{"w1", "a1"}, calm_{"w2", "a2"};
};

TEST_F(LongCallsTest, a_workspace_has_its_share_and_another_one_does_not_wait) {
    enter(greedy_, "g1");
    enter(greedy_, "g2");
    enter(greedy_, "g3");
    enter(calm_, "c1");
    wait();
    std::ranges::sort(order_);
    EXPECT_EQ(order_, (Order{"c1", "g1", "g2", "not g3"}));
}

TEST_F(LongCallsTest, an_account_has_no_more_in_many_workspaces) {
    enter({"w1", "a1"}, "g1");
    enter({"w2", "a1"}, "g2");
    enter({"w3", "a1"}, "g3");
    wait();
    EXPECT_EQ(order_, (Order{"g1", "g2", "not g3"}));
}

TEST_F(LongCallsTest, a_place_that_is_given_back_is_taken_by_who_waited) {
    asio::co_spawn(io_, enters(patient_, greedy_, "g1", order_), asio::detached);
    asio::co_spawn(io_, enters(patient_, greedy_, "g2", order_), asio::detached);
    asio::co_spawn(io_, enters(patient_, greedy_, "g3", order_), asio::detached);
    asio::co_spawn(io_, enters(patient_, greedy_, "g4", order_), asio::detached);
    asio::co_spawn(io_, enters(patient_, greedy_, "g5", order_), asio::detached);
    io_.poll();
    EXPECT_EQ(order_, (Order{"g1", "g2", "not g5"}));  // two run, two wait
    patient_.leave(greedy_);
    io_.restart();
    io_.poll();
    EXPECT_EQ(order_.back(), "g3");
    patient_.leave(greedy_);
    io_.restart();
    io_.poll();
    EXPECT_EQ(order_.back(), "g4");
}

}  // namespace
}  // namespace svc::devapi
