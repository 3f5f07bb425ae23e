#include "http/route_table.hpp"

#include <gtest/gtest.h>

#include "http/target.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

TEST(RouteTable, FindsByMethodAndPattern) {
    RouteTable table;
    table.add({"GET", "/", Need::nothing});
    table.add({"GET", "/projects/:id", Need::any});
    table.add({"PATCH", "/projects/:id", Need::apply});
    table.add({"DELETE", "/projects/:id/keys/:key", Need::apply});
    EXPECT_EQ(table.find("GET", "/").route->need, Need::nothing);
    const Match match = table.find("HEAD", "/projects/a b");
    ASSERT_NE(match.route, nullptr);
    EXPECT_EQ(match.params.at("id"), "a b");
    EXPECT_TRUE(match.route->has_project());
    EXPECT_EQ(table.find("DELETE", "/projects/1/keys/2").params.at("key"), "2");
    const Match wrong = table.find("PUT", "/projects/1");
    EXPECT_EQ(wrong.route, nullptr);
    EXPECT_EQ(wrong.allow, "GET, PATCH");
    for (const char* path : {"/projects/", "/projects", "/projects/1/", "/projects/1/keys", ""})
        EXPECT_EQ(table.find("GET", path).route, nullptr) << path;
}

TEST(ReadHead, OfUnreadBytes) {
    const auto head = read_head(
        "GET /a/b?c=d HTTP/1.1\r\nHost: Shop.localhost:80\r\nX-Svc-Env: prod\r\n\r\nrest");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->path, "/a/b");
    EXPECT_EQ(head->query, "c=d");
    EXPECT_EQ(head->host, "Shop.localhost");
    EXPECT_EQ(head->header("x-svc-env"), "prod");
    EXPECT_FALSE(read_head("GET / HTTP/1.1\r\nHost: a\r\n"));
    EXPECT_FALSE(read_head(""));
}

// As the app's own server says it.
TEST(ReadHead, StreamsAloneTakeCredentialsFromTheQuery) {
    const auto takes = [](const std::string& target) {
        const std::string text = "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
        const auto head = read_head(text);
        return head && head->credentials_in_query;
    };
    for (const char* path :
         {"/__svc/topics/app:news/subscribe", "/__svc/topics/row-changed%3Aorder/subscribe",
          "/__svc/topics/subscribe", "/preview/p1/__svc/topics/subscribe"}) {
        EXPECT_TRUE(takes(std::string(path) + "?access_token=k")) << path;
        EXPECT_FALSE(takes(path)) << path;
    }
    for (const char* path :
         {"/", "/__svc/auth/me", "/__svc/topics/app:news/publish", "/__svc/topics/app:news",
          "/topics/app:news/subscribe", "/x/__svc/topics/subscribe", "/__svcx/topics/subscribe",
          "/dev/v1/topics/subscribe", "/preview/__svc/topics/subscribe"})
        EXPECT_FALSE(takes(std::string(path) + "?access_token=k")) << path;
}

TEST(Conninfo, AnotherDatabaseOnTheSameServer) {
    const std::string url =
        with_database("postgresql://ann:it's%20me@db.test:5433/first", "sec'ond");
    EXPECT_EQ(conninfo_value(url, "dbname"), "sec'ond");
    EXPECT_EQ(conninfo_value(url, "password"), "it's me");
    EXPECT_EQ(conninfo_value(url, "port"), "5433");
    EXPECT_EQ(conninfo_value(without_setting(url, "password"), "password"), "");
    EXPECT_THROW(with_database("postgresql://%zz", "x"), std::invalid_argument);
}

}  // namespace
}  // namespace svc::devapi
