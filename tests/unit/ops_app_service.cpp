#include "ops/service/app_service.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <exception>

#include "app_database.hpp"
#include "base/sha256.hpp"
#include "fake_exchange.hpp"
#include "identity/token.hpp"

namespace svc {
namespace {

using base::sha256;
using identity::bytea_text;
using test::FakeExchange;
using test::Headers;

constexpr Persona kPersonas[] = {
    {"customer", "Customer", Kind::consumer, true,
     principal::kSignedIn | principal::kConsumer | 1U << principal::kFirstPersona,
     "customer,consumer,signed_in"},
    {"clerk", "Clerk", Kind::staff, false,
     principal::kSignedIn | principal::kStaff | 2U << principal::kFirstPersona,
     "clerk,staff,signed_in"},
};

// A table whose one row is the caller, as policies see it.
void write_who(const Row& row, const ColumnSet&, Out& out) {
    write_plain(out, "{\"id\":", row, 0);
    write_text(out, ",\"names\":", row, 1);
    write_text(out, ",\"claims\":", row, 2);
    out += '}';
}
constexpr Column kColumns[] = {{"id", Type::uuid}, {"names"}, {"claims"}};
Entity who_entity() {
    Entity who{};
    who.name = "who";
    who.columns = kColumns;
    who.fields_json = "[]";
    who.access.read = kEveryone;
    who.list =
        "select svc.user_id() as id, current_setting('svc.principals') as names,"
        " current_setting('svc.claims') as claims";
    who.write_row = write_who;
    return who;
}
const Entity kWho = who_entity();
const Entity* const kEntities[] = {&kWho};
const Route kRoutes[] = {{Method::get, "/api/v1/who", Action::list, &kWho},
                         {Method::get, "/api/v1/who/<id>", Action::get, &kWho}};

constexpr Query kOne = {
    .name = "reports/one",
    .description = "",
    .allow = kEveryone,
    .statement = {"query_reports_one", {}, "select 1 as one"},
    .fields_json = R"([{"name":"one","type":"23"}])",
    .write_row =
        [](const Row& row, const ColumnSet&, Out& out) {
            write_number(out, R"({"one":)", row, 0);
            out += '}';
        },
};
const Query* const kQueries[] = {&kOne};

App test_app() {
    App app{};
    app.name = "Test";
    app.timezone = "UTC";
    app.personas = kPersonas;
    app.entities = kEntities;
    app.routes = kRoutes;
    app.queries = kQueries;
    return app;
}

class AppServiceTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database_ = std::make_unique<test::AppDatabase>();
        settings_.data_url = settings_.system_url = database_->url();
        settings_.project = "p1";
        add_key("browser", "dpk_c_a", "{https://shop.example}");
        add_key("server", "dpk_s_a", "{}");
        start();
    }

    void start() {
        service_.reset();
        service_ = std::make_unique<AppService>(io_, app_, settings_, nullptr);
        wait(service_->open());
    }

    void add_key(const std::string& kind, const std::string& value, const std::string& origins) {
        database_->sql(
            "insert into svc.app_key (id, kind, hash, prefix, origins) values"
            " (gen_random_uuid(), '" +
            kind + "', '" + bytea_text(sha256(value)) + "', 'dpk', '" + origins + "')");
    }

    void wait(Task<> task) {
        std::exception_ptr failed;
        bool done = false;
        asio::co_spawn(io_, std::move(task), [&](std::exception_ptr error) {
            failed = error;
            done = true;
        });
        io_.restart();
        while (!done && io_.run_one() > 0) continue;
        if (failed) std::rethrow_exception(failed);
    }

    using Answer = std::unique_ptr<FakeExchange>;
    Answer send(const std::string& method, const std::string& path, Headers headers,
                const std::string& body = {}) {
        auto exchange = std::make_unique<FakeExchange>(method, path, std::move(headers), body);
        wait(service_->handle(*exchange));
        return exchange;
    }

    // As a page of the shop does it.
    Answer page(const std::string& method, const std::string& path, Headers more = {},
                const std::string& body = {}) {
        more.insert(more.end(), {{"Authorization", "Bearer dpk_c_a"},
                                 {"Origin", "https://shop.example"},
                                 {"Host", "shop.example"},
                                 {"x-svc-data-api", "1"}});
        return send(method, path, std::move(more), body);
    }
    Answer server(const std::string& path, Headers more = {}) {
        more.insert(more.end(), {{"Authorization", "Bearer dpk_s_a"}, {"x-svc-data-api", "1"}});
        return send("GET", path, std::move(more));
    }
    Answer sign_up(const std::string& email, const std::string& more = {}) {
        return page("POST", "/__svc/auth/signup", {},
                    R"({"email":")" + email + R"(","password":"long enough")" + more + "}");
    }
    Answer log_in(const std::string& email, const std::string& password) {
        return page("POST", "/__svc/auth/login", {},
                    R"({"email":")" + email + R"(","password":")" + password + R"("})");
    }
    Answer who(const std::string& token) {
        return page("GET", "/__svc/api/v1/who", {{"x-svc-app-session", token}});
    }

    std::unique_ptr<test::AppDatabase> database_;
    asio::io_context io_;
    App app_ = test_app();
    Settings settings_;
    std::unique_ptr<AppService> service_;
};

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

TEST_F(AppServiceTest, SignsUpInAndOut) {
    const auto signed_up = sign_up(" Ann@Example.test", R"(,"name":"Ann")");
    ASSERT_EQ(signed_up->status(), 200) << signed_up->answer();
    EXPECT_TRUE(signed_up->answers(
        R"("email":"ann@example.test","name":"Ann","isAdmin":false,"role":"customer","orgId":null)"));
    const std::string token = signed_up->member("token");
    EXPECT_TRUE(signed_up->sends("Set-Cookie: svc_app_session=" + token +
                                 "; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000\r\n"));
    EXPECT_EQ(database_->sql("select count(*) from svc.session where hash = '" +
                             bytea_text(sha256(token)) + "'"),
              "1");

    EXPECT_EQ(sign_up("ann@example.test")->status(), 409);
    const auto logged_in = log_in("ANN@example.test", "long enough");
    ASSERT_EQ(logged_in->status(), 200) << logged_in->answer();
    const std::string again = logged_in->member("token");
    EXPECT_NE(again, token);
    EXPECT_TRUE(page("GET", "/__svc/auth/me", {{"Cookie", "svc_app_session=" + again}})
                    ->answers("ann@example.test"));

    const auto out = page("POST", "/__svc/auth/logout", {{"Cookie", "svc_app_session=" + again}});
    EXPECT_EQ(out->answer(), R"({"ok":true})");
    EXPECT_TRUE(out->sends("Set-Cookie: svc_app_session=; "));
    EXPECT_EQ(page("GET", "/__svc/auth/me", {{"x-svc-app-session", again}})->answer(),
              R"({"ok":true,"user":null})");
    EXPECT_EQ(who(token)->status(), 200);
}

TEST_F(AppServiceTest, RefusesBadSignUps) {
    EXPECT_TRUE(sign_up("ann")->answers("INVALID_EMAIL"));
    EXPECT_TRUE(sign_up("a@b.test", R"(,"persona":"clerk")")->answers("INVALID_ROLE"));
    EXPECT_TRUE(sign_up("a@b.test", R"(,"name":")" + std::string(201, 'x') + '"')
                    ->answers("PARAMS_INVALID"));
    EXPECT_TRUE(page("POST", "/__svc/auth/signup", {}, "email=a")->answers("PARAMS_INVALID"));
    EXPECT_TRUE(page("POST", "/__svc/auth/signup", {}, R"({"email":"a@b.test","password":"short"})")
                    ->answers("WEAK_PASSWORD"));
    app_.auth.signup = SignupPolicy::invite_only;
    EXPECT_TRUE(sign_up("a@b.test")->answers("SIGNUP_INVITE_ONLY"));
    app_.auth.signup = SignupPolicy::disabled;
    EXPECT_TRUE(sign_up("a@b.test")->answers("SIGNUP_DISABLED"));
    EXPECT_TRUE(page("GET", "/__svc/auth/signup-options")
                    ->answers(R"("signupPolicy":"disabled","personas":["customer"])"));
}

TEST_F(AppServiceTest, VerificationAnswersTheSameForTakenAddresses) {
    app_.auth.verify_email = true;
    const auto first = sign_up("ann@example.test"), second = sign_up("ann@example.test");
    EXPECT_EQ(first->status(), 200);
    EXPECT_TRUE(first->answers(R"("pending":true)"));
    EXPECT_EQ(first->answer(), second->answer());
    EXPECT_EQ(database_->sql("select count(*) from svc.session"), "0");
    EXPECT_TRUE(log_in("ann@example.test", "long enough")->answers("EMAIL_NOT_VERIFIED"));
    EXPECT_TRUE(log_in("ann@example.test", "wrong enough")->answers("INVALID_CREDENTIALS"));
}

TEST_F(AppServiceTest, DisabledAccountsDoNotSignIn) {
    const std::string token = sign_up("ann@example.test")->member("token");
    EXPECT_EQ(who(token)->status(), 200);
    database_->sql("update svc.account set disabled = true");
    EXPECT_EQ(who(token)->status(), 401);
    EXPECT_EQ(log_in("ann@example.test", "long enough")->status(), 403);
    EXPECT_EQ(log_in("ann@example.test", "wrong enough")->status(), 401);
}

TEST_F(AppServiceTest, CountsFailedLoginsAndSignups) {
    settings_.rate_login = 2;
    settings_.rate_signup = 1;
    start();
    EXPECT_EQ(sign_up("ann@example.test")->status(), 200);
    EXPECT_EQ(sign_up("bob@example.test")->status(), 429);
    EXPECT_EQ(log_in("ann@example.test", "wrong enough")->status(), 401);
    EXPECT_EQ(log_in("ann@example.test", "long enough")->status(), 200);
    EXPECT_EQ(log_in("ann@example.test", "wrong enough")->status(), 401);
    EXPECT_EQ(log_in("ann@example.test", "wrong enough")->status(), 401);
    const auto locked = log_in("ann@example.test", "long enough");
    EXPECT_EQ(locked->status(), 429);
    EXPECT_TRUE(locked->sends("Retry-After: "));
    EXPECT_EQ(log_in("carl@example.test", "long enough")->status(), 401);
}

// What policies read: svc.user_id(), svc.acts_as(), svc.claim().
TEST_F(AppServiceTest, TellsPoliciesWhoCalls) {
    EXPECT_TRUE(who("")->answers(R"("id":null,"names":"guest","claims":"")"));
    const auto ann = sign_up("ann@example.test");
    const auto seen = who(ann->member("token"));
    EXPECT_EQ(seen->member("id"), ann->member("id"));
    EXPECT_EQ(seen->member("names"), "customer,consumer,signed_in");
    EXPECT_TRUE(seen->answers(R"(\"persona\":\"customer\")")) << seen->answer();
    EXPECT_TRUE(seen->answers(R"(\"email\":\"ann@example.test\")"));

    database_->sql("update svc.account set persona = 'unknown_here'");
    EXPECT_EQ(who(ann->member("token"))->status(), 401);  // another persona: sign in again
    const auto again = log_in("ann@example.test", "long enough");
    EXPECT_EQ(who(again->member("token"))->member("names"), "signed_in");
}

TEST_F(AppServiceTest, ServersAssertIdentity) {
    const std::string path = "/__svc/api/v1/who";
    const std::string ann = sign_up("ann@example.test")->member("id");
    EXPECT_EQ(server(path)->member("names"), "server");
    const auto as_ann = server(path, {{"x-svc-app-user", ann}});
    EXPECT_EQ(as_ann->member("id"), ann);
    EXPECT_EQ(as_ann->member("names"), "customer,consumer,signed_in");
    const auto as_clerk = server(path, {{"x-svc-app-user", ann}, {"x-svc-app-role", "clerk"}});
    EXPECT_EQ(as_clerk->member("names"), "clerk,staff,signed_in");
    const auto any_clerk = server(path, {{"x-svc-app-role", "clerk"}});
    EXPECT_TRUE(any_clerk->answers(R"("id":null,"names":"clerk,staff,signed_in")"));
    for (const Headers& wrong :
         {Headers{{"x-svc-app-user", "00000000-0000-7000-8000-000000000000"}},
          Headers{{"x-svc-app-user", "ann"}}, Headers{{"x-svc-app-role", "pirate"}},
          Headers{{"x-svc-app-org", "acme"}}, Headers{{"x-svc-app-role", "org:admin"}}})
        EXPECT_TRUE(server(path, wrong)->answers("PARAMS_INVALID")) << wrong[0].second;
    EXPECT_TRUE(page("GET", path, {{"x-svc-app-user", ann}})->answers("PARAMS_INVALID"));
}

TEST_F(AppServiceTest, SessionsEndAtOnceAndByTime) {
    const auto token = [&] { return log_in("ann@example.test", "long enough")->member("token"); };
    sign_up("ann@example.test");
    const std::string ended = token(), idle = token(), old = token();
    for (const auto& each : {ended, idle, old}) EXPECT_EQ(who(each)->status(), 200);
    const auto change = [&](const std::string& what, const std::string& which) {
        database_->sql(what + " where hash = '" + bytea_text(sha256(which)) + "'");
    };
    // The server remembers all three. The statement's own round trip knows better.
    change("delete from svc.session", ended);
    change("update svc.session set expires_at = now()", old);
    EXPECT_EQ(who(ended)->status(), 401);
    EXPECT_EQ(who(old)->status(), 401);
    change("update svc.session set last_used_at = now() - interval '15 days'", idle);
    EXPECT_TRUE(page("GET", "/__svc/auth/me", {{"x-svc-app-session", idle}})->answers("null"));
    EXPECT_EQ(who(idle)->status(), 401);
    EXPECT_EQ(who("svc_s_nobody")->status(), 401);
}

TEST_F(AppServiceTest, NotesTheUseOfASession) {
    const std::string token = sign_up("ann@example.test")->member("token");
    database_->sql("update svc.session set last_used_at = now() - interval '2 minutes'");
    EXPECT_EQ(who(token)->status(), 200);
    EXPECT_EQ(send("GET", "/readyz", {})->status(), 200);  // behind the background write
    EXPECT_EQ(database_->sql("select last_used_at > now() - interval '1 minute' from svc.session"),
              "t");
}

TEST_F(AppServiceTest, CookiesNeedIntent) {
    const std::string cookie = "svc_app_session=" + sign_up("ann@example.test")->member("token");
    const Headers key{{"Authorization", "Bearer dpk_s_a"}, {"Cookie", cookie}};
    EXPECT_TRUE(send("POST", "/__svc/auth/logout", key)->answers("ORIGIN_REQUIRED"));
    EXPECT_EQ(database_->sql("select count(*) from svc.session"), "1");
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
}  // namespace svc
