#include "http/exchange.hpp"

#include <gtest/gtest.h>

#include "base/percent.hpp"

namespace svc::http {
namespace {

TEST(Exchange, HeaderIgnoresCaseAndTakesTheFirst) {
    Head head;
    head.headers = {{"Accept", "a"}, {"X-One", "1"}, {"x-one", "2"}};
    EXPECT_EQ(head.header("x-ONE"), "1");
    EXPECT_EQ(head.header("x-on"), "");
}

TEST(Exchange, PercentDecodeKeepsWhatIsNoEscape) {
    EXPECT_EQ(base::percent_decoded("a%20b%2Fc", false), "a b/c");
    EXPECT_EQ(base::percent_decoded("a+b", false), "a+b");
    EXPECT_EQ(base::percent_decoded("a+b", true), "a b");
    EXPECT_EQ(base::percent_decoded("100%", false), "100%");
    EXPECT_EQ(base::percent_decoded("%4", false), "%4");
    EXPECT_EQ(base::percent_decoded("%zz%41", false), "%zzA");
    EXPECT_EQ(base::percent_decoded("%C3%A9", false), "é");
}

TEST(Exchange, QueryParamTellsEmptyFromAbsent) {
    EXPECT_EQ(query_param("a=1&b=2&a=3", "a").value, "1");
    EXPECT_TRUE(query_param("a&b", "b").found);
    EXPECT_TRUE(query_param("cursor=", "cursor").found);
    EXPECT_FALSE(query_param("cursors=1", "cursor").found);
    EXPECT_FALSE(query_param("", "a").found);
    EXPECT_EQ(query_param("x%5B=%7B%22a%22%3A1%7D", "x[").value, "{\"a\":1}");
    EXPECT_EQ(query_param("&&q=a%26b+c", "q").value, "a&b c");
}

TEST(Exchange, ReplyHeaderDropsLineEnds) {
    Reply reply;
    reply.header("Location", "/a\r\nX-Evil: 1");
    EXPECT_EQ(reply.extra_headers, "Location: /aX-Evil: 1\r\n");
}

TEST(Exchange, FailPrintsTheEnvelope) {
    Reply reply;
    fail(reply, {Code::table_forbidden, "No \"grant\"."});
    EXPECT_EQ(reply.status, 403);
    EXPECT_EQ(reply.body,
              R"({"ok":false,"error":{"code":"TABLE_FORBIDDEN","message":"No \"grant\"."}})");
}

TEST(Exchange, FailNamesTheDatabasesCodeAndTheField) {
    Reply reply;
    fail(reply, {Code::params_invalid, "bad\x01\xff", "price", "22P02", R"(,"allowed":["ship"])"});
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body,
              "{\"ok\":false,\"error\":{\"code\":\"22P02\",\"message\":\"bad\\u0001"
              "\xEF\xBF\xBD\",\"field\":\"price\",\"allowed\":[\"ship\"]}}");
}

TEST(Exchange, UnavailableSaysWhenToComeBack) {
    Reply reply;
    fail(reply, {Code::unavailable, "The database is away."});
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.extra_headers, "Retry-After: 1\r\n");

    Reply later;
    fail(later, {Code::unavailable, "The keys are away."}, 5);
    EXPECT_EQ(later.extra_headers, "Retry-After: 5\r\n") << "once";
}

}  // namespace
}  // namespace svc::http
