// Accounts and sessions through an app's whole server, and who policies see as the caller.
#include <gtest/gtest.h>

#include "unit/ops/app_service_fixture.hpp"

namespace svc::ops {
namespace {

using base::sha256;
using identity::bytea_text;
using test::Headers;
using test::service::AppServiceTest;

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
    EXPECT_EQ(send("GET", "/readyz", {})->status(), 200);  // after the background write
    EXPECT_EQ(database_->sql("select last_used_at > now() - interval '1 minute' from svc.session"),
              "t");
}

TEST_F(AppServiceTest, CookiesNeedIntent) {
    const std::string cookie = "svc_app_session=" + sign_up("ann@example.test")->member("token");
    const Headers key{{"Authorization", "Bearer dpk_s_a"}, {"Cookie", cookie}};
    EXPECT_TRUE(send("POST", "/__svc/auth/logout", key)->answers("ORIGIN_REQUIRED"));
    EXPECT_EQ(database_->sql("select count(*) from svc.session"), "1");
}

}  // namespace
}  // namespace svc::ops
