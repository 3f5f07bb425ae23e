// What an app's server answers for, and where: its routes, keys, origins, hosts.
#include "ops/service/app_service.hpp"

#include <gtest/gtest.h>

#include "ops/shared.hpp"
#include "unit/ops/app_service_fixture.hpp"

namespace svc::ops {
namespace {

using test::FakeExchange;
using test::Headers;
using test::service::AppServiceTest;

TEST_F(AppServiceTest, ServesNamedQueries) {
    EXPECT_EQ(send("GET", "/__svc/queries", {})->status(), 401);
    EXPECT_EQ(send("GET", "/__svc/queries", {{"Authorization", "Bearer dpk_s_a"}})->status(), 400);
    EXPECT_TRUE(page("GET", "/__svc/queries")->answers(R"("queries":[{"name":"reports/one")"));
    for (const char* path : {"/__svc/queries/reports/one", "/__svc/queries/reports%2Fone",
                             "/preview/p1/__svc/queries/reports/one"}) {
        const Answer answer = page("POST", path, {}, "{}");
        EXPECT_EQ(answer->status(), 200) << path;
        EXPECT_TRUE(answer->answers(R"("rows":[{"one":1}],"rowCount":1)")) << answer->answer();
    }
    EXPECT_EQ(page("POST", "/__svc/queries/reports", {}, "{}")->status(), 404);
    EXPECT_EQ(page("POST", "/__svc/queriesX", {}, "{}")->status(), 404);
    const Answer got = page("GET", "/__svc/queries/reports/one");
    EXPECT_EQ(got->status(), 405);
    EXPECT_TRUE(got->sends("Allow: POST"));
    EXPECT_EQ(page("POST", "/__svc/queries", {}, "{}")->status(), 405);
    const Answer admin = page("POST", "/__svc/queries/reports/one", {{"x-svc-admin", "1"}}, "{}");
    EXPECT_EQ(admin->status(), 403);
    EXPECT_EQ(admin->answer(), R"({"ok":false,"error":{"message":"Admin required"}})");
    EXPECT_EQ(
        page("POST", "/__svc/queries/reports/one", {{"x-svc-app-session", "none"}}, "{}")->status(),
        401);
}

TEST_F(AppServiceTest, TellsItsHealth) {
    EXPECT_EQ(send("GET", "/healthz", {})->status(), 200);
    EXPECT_EQ(send("GET", "/readyz", {})->status(), 200);
    EXPECT_EQ(send("GET", "/", {})->status(), 404);
    EXPECT_EQ(send("GET", "/__svcx", {})->status(), 404);
}

TEST_F(AppServiceTest, KnowsItsRoutes) {
    EXPECT_EQ(page("GET", "/__svc/api/v1/who")->status(), 200);
    EXPECT_EQ(page("GET", "/preview/p1/__svc/api/v1/who")->status(), 200);
    EXPECT_EQ(page("GET", "/preview/p2/__svc/api/v1/who")->status(), 404);
    EXPECT_TRUE(page("GET", "/__svc/api/v1/nothing")->answers("TABLE_FORBIDDEN"));
    EXPECT_TRUE(page("GET", "/__svc/api/v1/search")->answers("MISSING_QUERY"));
    EXPECT_TRUE(page("GET", "/__svc/auth/nothing")->answers("NOT_FOUND"));
    const auto put = page("PUT", "/__svc/api/v1/who");
    EXPECT_EQ(put->status(), 405);
    EXPECT_TRUE(put->sends("Allow: GET, HEAD\r\n"));
    EXPECT_EQ(send("GET", "/__svc/api/v1/nothing", {})->status(), 401);
}

TEST_F(AppServiceTest, AnAddressHasAShareOfTheFilesThatNeedNoKey) {
    settings_.rate_browser = 2;  // so a page a minute, and the files of one page
    start();
    const std::string file = "/__svc/files/11111111-1111-1111-1111-111111111111";
    const Headers cookie = {{"Cookie", "svc_app_session=none"}};
    for (unsigned read = 0; read < ops::kFilesOfPage; ++read)
        EXPECT_EQ(send("GET", file, cookie)->status(), 404);
    const Answer full = send("GET", file, cookie);
    EXPECT_EQ(full->status(), 429);
    EXPECT_TRUE(full->sends("Retry-After: "));
    EXPECT_EQ(page("GET", file)->status(), 404) << "a key has its own budget";
}

TEST_F(AppServiceTest, EchoesBoundOriginsAlone) {
    EXPECT_TRUE(page("GET", "/__svc/auth/me")
                    ->sends("Access-Control-Allow-Origin: https://shop.example\r\n"));
    const auto evil =
        send("GET", "/__svc/auth/me",
             {{"Authorization", "Bearer dpk_c_a"}, {"Origin", "https://evil.example"}});
    EXPECT_EQ(evil->status(), 403);
    EXPECT_FALSE(evil->sends("Access-Control"));
    EXPECT_TRUE(evil->sends("Vary: Origin\r\n"));

    const auto preflight = send("OPTIONS", "/__svc/auth/me", {{"Origin", "https://shop.example"}});
    EXPECT_EQ(preflight->status(), 204);
    EXPECT_TRUE(preflight->sends("Access-Control-Allow-Origin: https://shop.example\r\n"));
    EXPECT_FALSE(send("OPTIONS", "/__svc/auth/me", {{"Origin", "https://evil.example"}})
                     ->sends("Access-Control"));
}

TEST_F(AppServiceTest, ReloadsItsKeys) {
    const Headers head{{"Authorization", "Bearer dpk_s_new"}};
    EXPECT_EQ(send("GET", "/__svc/auth/me", head)->status(), 401);
    add_key("server", "dpk_s_new", "{}");
    wait(service_->reload_keys());
    EXPECT_EQ(send("GET", "/__svc/auth/me", head)->status(), 200);
    database_->sql("delete from svc.app_key");
    wait(service_->reload_keys());
    EXPECT_EQ(send("GET", "/__svc/auth/me", head)->status(), 401);
}

TEST_F(AppServiceTest, AloneItAddsNoTables) {
    const Headers key{{"Authorization", "Bearer dpk_s_a"}, {"x-svc-data-api", "1"}};
    const auto answer = send("POST", "/__svc/data/migrate", key);
    EXPECT_EQ(answer->status(), 404);
    EXPECT_TRUE(answer->answers("This server runs without svcd")) << answer->answer();
}

TEST_F(AppServiceTest, ClaimsWhatIsIts) {
    settings_.hosts = {"shop.localhost"};
    start();
    const auto claims = [&](const std::string& path, Headers headers) {
        const FakeExchange exchange("GET", path, std::move(headers));
        return service_->claim(exchange.head()) == http::Claim::serve;
    };
    const std::pair<std::string, std::string> own{"Host", "Shop.localhost:7878"},
        other{"Host", "x"}, key{"Authorization", "Bearer dpk_s_a"};
    EXPECT_TRUE(claims("/", {own}));
    EXPECT_FALSE(claims("/", {own, {"x-svc-env", "prod"}}));
    EXPECT_FALSE(claims("/", {other}));
    EXPECT_TRUE(claims("/preview/p1/x", {other}));
    EXPECT_FALSE(claims("/preview/p2/x", {other}));
    EXPECT_TRUE(claims("/__svc/auth/me", {other, key}));
    EXPECT_FALSE(claims("/dev/v1/me", {other, key}));
    EXPECT_FALSE(claims("/__svc/auth/me", {other, {"Authorization", "Bearer dpk_s_b"}}));
    EXPECT_TRUE(claims("/__svc/data/migrate", {own, key})) << "GET is answered with 405";
    for (const auto& [path, host] : {std::pair{"/__svc/data/migrate", own},
                                     std::pair{"/preview/p1/__svc/data/migrate", other}}) {
        const FakeExchange exchange("POST", path, {host, key});
        EXPECT_EQ(service_->claim(exchange.head()), http::Claim::hand_off) << path;
    }
    settings_.env = Env::prod;
    start();
    EXPECT_TRUE(claims("/", {own}));
    EXPECT_FALSE(claims("/__svc/auth/me", {other, key}));
    EXPECT_TRUE(claims("/__svc/auth/me", {other, key, {"x-svc-env", "prod"}}));
}

// No other route may have them where addresses are logged.
TEST_F(AppServiceTest, StreamsAloneTakeCredentialsFromTheQuery) {
    settings_.hosts = {"shop.localhost"};
    start();
    const auto takes = [&](const char* method, const std::string& path, const char* host) {
        const FakeExchange exchange(method, path, {{"Host", host}});
        http::Head head = exchange.head();
        head.query = "access_token=k";
        return service_->credentials_in_query(head);
    };
    for (const char* path : {"/__svc/topics/app:news/subscribe", "/__svc/topics/subscribe"}) {
        EXPECT_TRUE(takes("GET", path, "shop.localhost")) << path;
        EXPECT_TRUE(takes("GET", path, "x")) << path;
        EXPECT_TRUE(takes("OPTIONS", path, "x")) << path;
        EXPECT_TRUE(takes("GET", std::string("/preview/p1") + path, "x")) << path;
        EXPECT_FALSE(takes("GET", std::string("/preview/p1") + path, "shop.localhost")) << path;
        EXPECT_FALSE(takes("GET", std::string("/preview/p2") + path, "x")) << path;
    }
    for (const char* path :
         {"/", "/__svc", "/__svc/api/v1/who", "/__svc/auth/me", "/__svc/queries/reports/one",
          "/__svc/topics/app:news/publish", "/__svc/topics/app:news", "/__svc/topics/subscribe/x",
          "/__svc/queries/__svc/topics/subscribe", "/topics/app:news/subscribe",
          "/x/__svc/topics/app:news/subscribe", "/__svcx/topics/app:news/subscribe"})
        EXPECT_FALSE(takes("GET", path, "shop.localhost")) << path;
}

// If its shared hosts are configured, it serves no other shared host.
TEST_F(AppServiceTest, ClaimsNothingOnHostsOfNobody) {
    settings_.hosts = {"shop.localhost"};
    settings_.platform_hosts = {"svc.example"};
    start();
    const auto claims = [&](const char* host, const char* path) {
        const FakeExchange exchange("GET", path,
                                    {{"Host", host}, {"Authorization", "Bearer dpk_s_a"}});
        return service_->claim(exchange.head()) == http::Claim::serve;
    };
    for (const char* host : {"shop.localhost", "SVC.example:80", "10.0.0.1", "[::1]:80", ""})
        for (const char* path : {"/__svc/auth/me", "/preview/p1/x"})
            EXPECT_TRUE(claims(host, path)) << host << path;
    for (const char* host : {"x", "svc.example.x", "x.svc.example", "10.0.0", "10.0.0.1.x"})
        for (const char* path : {"/__svc/auth/me", "/preview/p1/x"})
            EXPECT_FALSE(claims(host, path)) << host << path;
}

}  // namespace
}  // namespace svc::ops
