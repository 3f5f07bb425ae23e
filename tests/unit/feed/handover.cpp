#include "feed/stream/handover.hpp"

#include <gtest/gtest.h>

#include "http/request/parser.hpp"
#include "unit/http/fake_exchange.hpp"

namespace svc::feed {
namespace {

TEST(FeedHandover, another_process_goes_on_where_it_was) {
    test::FakeExchange exchange("GET", "/__svc/topics/app:news/subscribe",
                                {{"host", "app.test"},
                                 {"authorization", "Bearer k"},
                                 {"last-event-id", "old"},
                                 {"accept", "*/*"}});
    const std::string kept = Handover::kept(exchange.head());
    const std::string request = Handover("secret").request(kept, "new~m");
    http::Head head;
    std::string body;
    http::RequestParser parser(head, body);
    ASSERT_TRUE(parser.parse_head(request)) << request;
    EXPECT_EQ(head.path, "/__svc/topics/app:news/subscribe");
    EXPECT_EQ(head.header("last-event-id"), "new~m");
    EXPECT_EQ(head.header("authorization"), "Bearer k");
    EXPECT_EQ(head.header("accept"), "");
    EXPECT_TRUE(Handover("secret").continues(head));
    EXPECT_FALSE(Handover("another").continues(head));
}

TEST(FeedHandover, nobody_else_continues_a_stream) {
    const Handover handover("secret");
    for (const char* sign : {"", "AAAA", "AAAAAAAAAAAAAAAAAAAAAA"}) {
        test::FakeExchange exchange("GET", "/", {{"last-event-id", "x"}, {"x-svc-stream", sign}});
        EXPECT_FALSE(handover.continues(exchange.head())) << sign;
    }
}

TEST(FeedHandover, the_longest_request_that_a_server_takes_is_kept) {
    const std::string cookie(8000, 'c');
    test::FakeExchange exchange("GET", "/", {{"cookie", cookie}});
    const std::string kept = Handover::kept(exchange.head());
    EXPECT_NE(kept.find(cookie), kept.npos);
}

}  // namespace
}  // namespace svc::feed
