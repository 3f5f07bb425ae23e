#include "identity/key/gate.hpp"

#include <gtest/gtest.h>

#include "base/sha256.hpp"
#include "identity/credentials.hpp"
#include "unit/http/fake_exchange.hpp"

namespace svc::identity {
namespace {

using test::FakeExchange;
using test::Headers;

KeyStore::Entry entry(KeyKind kind, std::vector<std::string> origins) {
    auto key = std::make_shared<AppKey>();
    key->kind = kind;
    key->origins = std::move(origins);
    return {std::move(key), std::nullopt};
}

KeyStore::Entries entries() {
    KeyStore::Entries entries;
    entries.emplace(base::sha256("browser"), entry(KeyKind::browser, {"https://shop.example"}));
    entries.emplace(base::sha256("server"), entry(KeyKind::server, {}));
    entries.emplace(base::sha256("preview"), entry(KeyKind::preview, {}));
    auto old = entry(KeyKind::server, {});
    old.expires_at = std::chrono::system_clock::now() - std::chrono::seconds(1);
    entries.emplace(base::sha256("old"), old);
    return entries;
}

class GateTest : public testing::Test {
  protected:
    // The code that refuses the request, or "ok".
    std::string enter(Headers headers, Marker marker = Marker::needed, Env env = Env::dev,
                      const std::string& method = "GET") {
        Gate gate(keys_, budget_, env);
        const FakeExchange exchange(method, "/__svc/api/v1/product", std::move(headers));
        const auto key = gate.enter(exchange.head(), marker);
        return key ? "ok" : std::string(name(key.error().error.code));
    }

    KeyStore keys_{entries()};
    Budget budget_{3, 3};
};

Headers with(const std::string& key, Headers more = {}) {
    more.emplace_back("Authorization", "Bearer " + key);
    more.emplace_back("X-Svc-Data-Api", "1");
    return more;
}

TEST_F(GateTest, AdmitsEachKindOfKey) {
    EXPECT_EQ(enter(with("browser", {{"Origin", "https://SHOP.example"}})), "ok");
    EXPECT_EQ(enter(with("server")), "ok");
    EXPECT_EQ(enter(with("preview")), "ok");
}

TEST_F(GateTest, NeedsAGoodKey) {
    EXPECT_EQ(enter({}), "UNAUTHORIZED");
    EXPECT_EQ(enter(with("")), "UNAUTHORIZED");
    EXPECT_EQ(enter(with("nobody")), "UNAUTHORIZED");
    EXPECT_EQ(enter(with("old")), "UNAUTHORIZED");
    EXPECT_EQ(enter({{"Authorization", "Basic server"}, {"x-svc-data-api", "1"}}), "UNAUTHORIZED");
}

TEST_F(GateTest, PreviewTokensStayInDev) {
    EXPECT_EQ(enter(with("preview"), Marker::needed, Env::prod), "UNAUTHORIZED");
    EXPECT_EQ(enter(with("server"), Marker::needed, Env::prod), "ok");
}

TEST_F(GateTest, NeedsTheMarkerWhereDataIs) {
    const Headers bare{{"Authorization", "Bearer server"}};
    EXPECT_EQ(enter(bare), "PARAMS_INVALID");
    EXPECT_EQ(enter(bare, Marker::not_needed), "ok");
}

TEST_F(GateTest, BindsBrowserKeysToOrigins) {
    EXPECT_EQ(enter(with("browser")), "ORIGIN_REQUIRED");
    EXPECT_EQ(enter(with("browser", {{"Origin", "https://evil.example"}})), "ORIGIN_NOT_ALLOWED");
    EXPECT_EQ(enter(with("server", {{"Origin", "https://evil.example"}})), "ok");
}

TEST_F(GateTest, TakesReadsOfTheOwnHostsPagesWithoutAnOrigin) {
    const auto page = [](const std::string& host, const std::string& site) {
        return with("browser", {{"Host", host}, {"Sec-Fetch-Site", site}});
    };
    EXPECT_EQ(enter(page("shop.example", "same-origin")), "ok");
    EXPECT_EQ(enter(page("SHOP.example:443", "same-origin"), Marker::needed, Env::dev, "HEAD"),
              "ok");
    EXPECT_EQ(enter(page("shop.example", "same-origin"), Marker::needed, Env::dev, "POST"),
              "ORIGIN_REQUIRED");
    for (const char* site : {"", "same-site", "cross-site", "none"})
        EXPECT_EQ(enter(page("shop.example", site)), "ORIGIN_REQUIRED") << site;
    for (const char* host : {"", "evil.example", "shop.example:81", "shop.example/@evil.example"})
        EXPECT_EQ(enter(page(host, "same-origin")), "ORIGIN_REQUIRED") << host;
}

// Requests of the app's own pages: no key, and the headers that browsers send for a page of that
// host.
class OwnPagesTest : public GateTest {
  protected:
    std::string ask(const std::string& method, Headers headers,
                    std::vector<std::string> hosts = {"shop.example"}) {
        const auto own = std::make_shared<const AppKey>();
        Gate gate(keys_, budget_, Env::dev, {own, std::move(hosts)});
        headers.emplace_back("X-Svc-Data-Api", "1");
        const FakeExchange exchange(method, "/__svc/api/v1/product", std::move(headers));
        const auto key = gate.enter(exchange.head(), Marker::needed);
        if (!key) return std::string(name(key.error().error.code));
        return *key == own ? "own" : "other";
    }
    static Headers page(Headers more) {
        more.emplace_back("X-Svc-Page", "1");
        more.emplace_back("Host", "shop.example");
        return more;
    }
};

TEST_F(OwnPagesTest, NeedNoKey) {
    const Headers same{{"Sec-Fetch-Site", "same-origin"}};
    EXPECT_EQ(ask("GET", page(same)), "own");
    EXPECT_EQ(ask("GET", page({})), "own");  // no browser says more to a host without TLS
    EXPECT_EQ(ask("POST", page({{"Origin", "https://shop.example"}})), "own");
    EXPECT_EQ(ask("GET", page(same), {}), "RATE_LIMITED");  // three a minute
}

TEST_F(OwnPagesTest, AreOfThisHost) {
    for (const char* origin : {"https://evil.example", "null", "https://shop.example:444"}) {
        EXPECT_EQ(ask("POST", page({{"Origin", origin}})), "UNAUTHORIZED") << origin;
        EXPECT_EQ(ask("GET", page({{"Origin", origin}})), "UNAUTHORIZED") << origin;
    }
    for (const char* site : {"same-site", "cross-site", "none"})
        EXPECT_EQ(ask("GET", page({{"Sec-Fetch-Site", site}})), "UNAUTHORIZED") << site;
    EXPECT_EQ(ask("POST", page({{"Sec-Fetch-Site", "same-origin"}})), "UNAUTHORIZED");
    EXPECT_EQ(ask("GET", page({}), {"other.example"}), "UNAUTHORIZED");
    EXPECT_EQ(ask("GET", {{"Host", "shop.example"}, {"Sec-Fetch-Site", "same-origin"}}),
              "UNAUTHORIZED");
    EXPECT_EQ(enter(page({{"X-Svc-Data-Api", "1"}})), "UNAUTHORIZED");  // an app without pages
}

TEST_F(OwnPagesTest, AKeyThatIsShownCounts) {
    EXPECT_EQ(ask("GET", page({{"Authorization", "Bearer server"}})), "other");
    EXPECT_EQ(ask("GET", page({{"Authorization", "Bearer nobody"}})), "UNAUTHORIZED");
}

TEST_F(GateTest, KnowsTheEnvironments) {
    EXPECT_EQ(enter(with("server", {{"x-svc-env", "dev"}})), "ok");
    EXPECT_EQ(enter(with("server", {{"x-svc-env", "prod"}})), "NO_APP");
    EXPECT_EQ(enter(with("server", {{"x-svc-env", "test"}})), "PARAMS_INVALID");
}

TEST_F(GateTest, SpendsTheBudgetOnAdmittedRequestsAlone) {
    for (int i = 0; i < 10; ++i) enter(with("nobody"));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(enter(with("server")), "ok");
    EXPECT_EQ(enter(with("server")), "RATE_LIMITED");
    EXPECT_EQ(enter(with("preview")), "ok");
}

TEST(KeyStore, PreflightKnowsTheBoundOrigins) {
    KeyStore::Entries some;
    some.emplace(base::sha256("browser"), entry(KeyKind::browser, {"https://shop.example"}));
    const KeyStore keys(some);
    EXPECT_TRUE(keys.any_bound_to("https://shop.example"));
    EXPECT_FALSE(keys.any_bound_to("https://evil.example"));
    some.emplace(base::sha256("any"), entry(KeyKind::browser, {"*"}));
    EXPECT_TRUE(KeyStore(some).any_bound_to("https://evil.example"));
}

std::string cookie_use(const std::string& method, Headers headers) {
    AppKey key;
    key.origins = {"*", "https://shop.example"};
    const FakeExchange exchange(method, "/", std::move(headers));
    const auto use = check_cookie_use(exchange.head(), key);
    return use ? "ok" : std::string(name(use.error().error.code));
}

TEST(CookieUse, ChangesNeedAnOriginOfOurs) {
    EXPECT_EQ(cookie_use("GET", {}), "ok");
    EXPECT_EQ(cookie_use("POST", {}), "ORIGIN_REQUIRED");
    EXPECT_EQ(cookie_use("POST", {{"Origin", "https://shop.example"}}), "ok");
    EXPECT_EQ(cookie_use("DELETE", {{"Origin", "http://a.test:7"}, {"Host", "a.test:7"}}), "ok");
    EXPECT_EQ(cookie_use("POST", {{"Origin", "https://evil.example"}}), "ORIGIN_NOT_ALLOWED");
}

TEST(Credentials, HeaderGoesBeforeCookie) {
    const FakeExchange both("GET", "/",
                            {{"x-svc-app-session", "a"}, {"Cookie", "svc_app_session=b"}});
    EXPECT_EQ(shown_session(both.head()).token, "a");
    EXPECT_FALSE(shown_session(both.head()).by_cookie);
    const FakeExchange cookie("GET", "/", {{"Cookie", "x=1;svc_app_session=b ; y=2"}});
    EXPECT_EQ(shown_session(cookie.head()).token, "b");
    EXPECT_TRUE(shown_session(cookie.head()).by_cookie);
    const FakeExchange other("GET", "/", {{"Cookie", "not_svc_app_session=b"}});
    EXPECT_EQ(shown_session(other.head()).token, "");
}

TEST(Credentials, AreReadFromTheQueryWhereTheRouteSaysSo) {
    const auto shown = [](const char* method, bool route_says_so, Headers headers = {}) {
        const FakeExchange exchange(method, "/__svc/topics/app:news/subscribe", std::move(headers));
        http::Head head = exchange.head();
        head.query = "x=1&access_token=k&app_session=s";
        head.credentials_in_query = route_says_so;
        return std::string(bearer(head)) + "," + std::string(shown_session(head).token);
    };
    EXPECT_EQ(shown("GET", true), "k,s");
    EXPECT_EQ(shown("HEAD", true), "k,s");
    EXPECT_EQ(shown("GET", false), ",");
    EXPECT_EQ(shown("POST", true), ",");
    EXPECT_EQ(shown("GET", true, {{"Authorization", "Bearer h"}, {"x-svc-app-session", "t"}}),
              "h,t");
}

TEST(Credentials, BehindTlsACookieThatASiblingHostPlantedIsNotRead) {
    const std::string both = "svc_app_session=planted; __Host-svc_app_session=own";
    const auto token = [](const std::string& path, const std::string& line, bool tls) {
        const FakeExchange exchange("GET", path, {{"Cookie", line}});
        http::Head head = exchange.head();
        head.by_tls = tls;
        return std::string(session_cookie(head));
    };
    EXPECT_EQ(token("/__svc/auth/me", both, true), "own");
    EXPECT_EQ(token("/__svc/auth/me", "svc_app_session=planted", true), "");
    EXPECT_EQ(token("/__svc/auth/me", both, false), "planted");
    // No prefix goes with a path of its own.
    EXPECT_EQ(token("/preview/1/__svc/auth/me", both, true), "planted");
}

}  // namespace
}  // namespace svc::identity
