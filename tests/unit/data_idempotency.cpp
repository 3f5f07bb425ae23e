#include "data/write/idempotency.hpp"

#include <gtest/gtest.h>

#include "data_fixture.hpp"

namespace svc::data {
namespace {

// The same but for what is asked about.
class Request final : public test::FakeExchange {
  public:
    Request(const std::string& key, const std::string& body, const std::string& address)
        : FakeExchange("POST", "/__svc/api/v1/item", {{"Idempotency-Key", key}}, body) {
        remote_ = address;
    }
    write::Once once(const Caller& caller) const { return **write::read_once(*this, caller); }
};

TEST(DataOnce, TheKeyOfAUserIsHisOwn) {
    const write::Once first = Request("k", "{}", "192.0.2.1").once(kClerk);
    const write::Once other = Request("k", "[]", "192.0.2.2").once(kClerk);
    EXPECT_EQ(first.key, "k");
    EXPECT_EQ(other.key, "k");
    EXPECT_NE(first.request, other.request) << "which is refused";
}

TEST(DataOnce, GuestsDoNotMeetWhatOthersSent) {
    const Caller guest;
    const write::Once first = Request("k", "{}", "192.0.2.1").once(guest);
    EXPECT_EQ(first.key, Request("k", "{}", "192.0.2.1").once(guest).key);
    EXPECT_NE(first.key, Request("l", "{}", "192.0.2.1").once(guest).key);
    EXPECT_NE(first.key, Request("k", "[]", "192.0.2.1").once(guest).key);
    EXPECT_NE(first.key, Request("k", "{}", "192.0.2.2").once(guest).key);
    EXPECT_TRUE(first.key.starts_with("guest ")) << "which no key of a user can be";
}

TEST(DataOnce, RefusesWhatIsNoKey) {
    const Caller guest;
    for (const std::string& key : {std::string("a b"), std::string("é"), std::string(256, 'k')}) {
        EXPECT_FALSE(write::read_once(Request(key, "{}", ""), guest)) << key;
    }
}

}  // namespace
}  // namespace svc::data
