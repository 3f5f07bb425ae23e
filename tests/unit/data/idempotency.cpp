#include "data/write/idempotency.hpp"

#include <gtest/gtest.h>

#include "unit/data/fixture.hpp"

namespace svc::data {
namespace {

// The same but for what is asked about.
class Request final : public test::FakeExchange {
  public:
    Request(const std::string& key, const std::string& body, const std::string& address)
        : FakeExchange("POST", "/__svc/api/v1/item", {{"Idempotency-Key", key}}, body) {
        remote_ = address;
    }
    write::IdempotencyKey key(const Caller& caller) const {
        return **write::read_idempotency_key(*this, caller);
    }
};

TEST(DataIdempotency, AUsersKeyIsTheirOwn) {
    const write::IdempotencyKey first = Request("k", "{}", "192.0.2.1").key(kClerk);
    const write::IdempotencyKey other = Request("k", "[]", "192.0.2.2").key(kClerk);
    EXPECT_EQ(first.key, "k");
    EXPECT_EQ(other.key, "k");
    EXPECT_NE(first.request, other.request) << "which is refused";
}

TEST(DataIdempotency, GuestsDoNotMeetWhatOthersSent) {
    const Caller guest;
    const write::IdempotencyKey first = Request("k", "{}", "192.0.2.1").key(guest);
    EXPECT_EQ(first.key, Request("k", "{}", "192.0.2.1").key(guest).key);
    EXPECT_NE(first.key, Request("l", "{}", "192.0.2.1").key(guest).key);
    EXPECT_NE(first.key, Request("k", "[]", "192.0.2.1").key(guest).key);
    EXPECT_NE(first.key, Request("k", "{}", "192.0.2.2").key(guest).key);
    EXPECT_TRUE(first.key.starts_with("guest ")) << "which no key of a user can be";
}

TEST(DataIdempotency, RefusesWhatIsNoKey) {
    const Caller guest;
    for (const std::string& key : {std::string("a b"), std::string("é"), std::string(256, 'k')}) {
        EXPECT_FALSE(write::read_idempotency_key(Request(key, "{}", ""), guest)) << key;
    }
}

}  // namespace
}  // namespace svc::data
