#include "http/request/parser.hpp"

#include <gtest/gtest.h>

#include "http/session/input.hpp"

namespace svc::http {
namespace {

struct Parsed {
    Head head;
    std::string body;
    RequestParser parser{head, body};
};

TEST(Parser, SplitsTheTarget) {
    Parsed p;
    ASSERT_TRUE(p.parser.parse_head("GET /a%20b?x=1&y HTTP/1.1\r\nHost: Shop.test:81\r\n\r\n"));
    EXPECT_EQ(p.head.method, "GET");
    EXPECT_EQ(p.head.path, "/a b");
    EXPECT_EQ(p.head.target, "/a%20b?x=1&y");
    EXPECT_EQ(p.head.query, "x=1&y");
    EXPECT_EQ(p.head.host, "Shop.test");
    EXPECT_TRUE(p.head.keep_alive);
    EXPECT_TRUE(p.parser.is_done());
}

TEST(Parser, ReadsKeepAlive) {
    Parsed closing, old, old_keep;
    ASSERT_TRUE(
        closing.parser.parse_head("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    EXPECT_FALSE(closing.head.keep_alive);
    ASSERT_TRUE(old.parser.parse_head("GET / HTTP/1.0\r\n\r\n"));
    EXPECT_FALSE(old.head.keep_alive);
    ASSERT_TRUE(old_keep.parser.parse_head("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    EXPECT_TRUE(old_keep.head.keep_alive);
}

TEST(Parser, CollectsABodyOfKnownLength) {
    Parsed p;
    ASSERT_TRUE(p.parser.parse_head("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"));
    std::size_t used = 0;
    EXPECT_EQ(p.parser.parse_body("he", used), RequestParser::Step::more);
    EXPECT_EQ(p.parser.parse_body("lloGET", used), RequestParser::Step::done);
    EXPECT_EQ(used, 3u);
    EXPECT_EQ(p.body, "hello");
}

TEST(Parser, CollectsChunksByteByByte) {
    Parsed p;
    ASSERT_TRUE(
        p.parser.parse_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    std::string wire = "4;x=1\r\nWiki\r\n5\r\npedia\r\n0\r\nX-Trailer: 1\r\n\r\nGET";
    std::string pending;
    auto step = RequestParser::Step::more;
    for (std::size_t i = 0; i < wire.size() && step == RequestParser::Step::more; ++i) {
        pending += wire[i];
        std::size_t used = 0;
        step = p.parser.parse_body(pending, used);
        pending.erase(0, used);
    }
    EXPECT_EQ(step, RequestParser::Step::done);
    EXPECT_EQ(p.body, "Wikipedia");
    EXPECT_EQ(p.head.headers.size(), 2u);  // the trailer is none
}

TEST(Parser, RefusesBadChunksAndLargeOnes) {
    for (std::string wire : {"x\r\n", "-1\r\n", "4\r\nWikiX", "4 \nWiki\r\n", "\r\n"}) {
        Parsed p;
        ASSERT_TRUE(p.parser.parse_head(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
        std::size_t used = 0;
        wire += "\r\n\r\n";
        EXPECT_EQ(p.parser.parse_body(wire, used), RequestParser::Step::malformed) << wire;
    }
    Parsed p;
    ASSERT_TRUE(
        p.parser.parse_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    p.parser.body_limit(6);
    std::size_t used = 0;
    EXPECT_EQ(p.parser.parse_body("4\r\nWiki\r\n4\r\nWiki\r\n", used),
              RequestParser::Step::too_large);
}

TEST(Input, FindsHeadsInPieces) {
    Input input(64, "\r\nGET / H");
    input.skip_empty_lines();
    EXPECT_EQ(input.scan(32), Input::Scan::more);
    std::string rest = "\r\n\r\nNEXT";
    std::copy(rest.begin(), rest.end(), input.room().begin());
    input.filled(rest.size());
    EXPECT_EQ(input.scan(32), Input::Scan::head);
    EXPECT_EQ(input.length(), 11u);
    input.pin(input.length());
    EXPECT_EQ(input.view(), "NEXT");
}

TEST(Input, RefusesBareLineFeedsAndLongHeads) {
    EXPECT_EQ(Input(64, "GET /\nHost: a").scan(32), Input::Scan::bare_lf);
    EXPECT_EQ(Input(64, "\nGET").scan(32), Input::Scan::bare_lf);
    EXPECT_EQ(Input(64, "0123456789").scan(8), Input::Scan::too_large);
    EXPECT_EQ(Input(64, "012345\r\n\r\n").scan(8), Input::Scan::too_large);
}

TEST(Input, KeepsAPinnedHeadInPlace) {
    Input input(16, "HEADbodybodybod");
    input.pin(4);
    const char* head = input.view().data() - 4;
    input.consume(10);
    std::span<char> room = input.room();
    EXPECT_EQ(std::string_view(head, 4), "HEAD");
    EXPECT_EQ(input.view(), "d");
    EXPECT_EQ(room.size(), 11u);
}

}  // namespace
}  // namespace svc::http
