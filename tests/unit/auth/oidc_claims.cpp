#include "auth/oidc/oidc_claims.hpp"

#include <gtest/gtest.h>

#include "auth/url_text.hpp"
#include "base/base64url.hpp"
#include "base/percent.hpp"

namespace svc::auth {
namespace {

class OidcClaims : public testing::Test {
  protected:
    std::string read(const std::string& claims) {
        const std::string token =
            base::base64url(R"({"alg":"RS256"})") + "." + base::base64url(claims) + ".sig";
        person_ = {};
        return oidc::read_id_token(token, provider_, endpoints_, "n1", 1000, person_);
    }
    static std::string with(const std::string& more) {
        return R"({"iss":"https://id.test","aud":"shop","sub":"7","exp":2000,"iat":990,"nonce":"n1")" +
               more + "}";
    }

    oidc::Provider provider_{"work", "Work", "https://id.test", std::nullopt, "shop", "s", {}};
    oidc::Endpoints endpoints_{"https://id.test", "", "", ""};
    oidc::Person person_;
};

TEST_F(OidcClaims, NameThePerson) {
    EXPECT_EQ(read(with(R"(,"email":"a@b.test","email_verified":true,"name":"Ann")")), "");
    EXPECT_EQ(person_.subject, "7");
    EXPECT_EQ(person_.email, "a@b.test");
    EXPECT_TRUE(person_.email_verified);
    EXPECT_EQ(read(with(R"(,"email":"a@b.test")")), "");
    EXPECT_FALSE(person_.email_verified);
}

TEST_F(OidcClaims, HoldOrAreRefused) {
    const char* wrong[] = {
        R"({})",
        R"([1])",
        R"({"iss":"https://evil.test","aud":"shop","sub":"7","exp":2000,"iat":990,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":"other","sub":"7","exp":2000,"iat":990,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":["shop","other"],"sub":"7","exp":2000,"iat":990,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":"shop","sub":"7","exp":500,"iat":400,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":"shop","sub":"7","exp":9000,"iat":5000,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":"shop","sub":"7","exp":2000,"iat":990,"nonce":"n2"})",
        R"({"iss":"https://id.test","aud":"shop","sub":"7","exp":2000,"iat":990})",
        R"({"iss":"https://id.test","aud":"shop","exp":2000,"iat":990,"nonce":"n1"})",
        R"({"iss":"https://id.test","aud":"shop","sub":"7","iat":990,"nonce":"n1"})",
    };
    for (const char* claims : wrong) EXPECT_NE(read(claims), "") << claims;
    EXPECT_EQ(
        read(
            R"({"iss":"https://id.test","aud":["shop","x"],"azp":"shop","sub":"7","exp":2000,"iat":990,"nonce":"n1"})"),
        "");
    EXPECT_NE(oidc::read_id_token("no.token", provider_, endpoints_, "n1", 1000, person_), "");
    EXPECT_NE(oidc::read_id_token("a.!!.c", provider_, endpoints_, "n1", 1000, person_), "");
}

TEST_F(OidcClaims, OfMicrosoftNameATenant) {
    provider_.preset = oidc::Preset::microsoft;
    const std::string claims =
        R"({"iss":"https://login.microsoftonline.com/t1/v2.0","tid":"t1","aud":"shop","sub":"7","exp":2000,"iat":990,)"
        R"("nonce":"n1","email":"a@b.test","email_verified":true})";
    EXPECT_EQ(read(claims), "");
    EXPECT_FALSE(person_.email_verified);  // what a tenant writes there is its own word
    std::string other = claims;
    other.replace(other.find("\"tid\":\"t1\""), 10, "\"tid\":\"t2\"");
    EXPECT_NE(read(other), "");
}

TEST(UrlText, StaysWithTheApp) {
    const char* app = "https://shop.test";
    for (const char* fine :
         {"/", "/a?b#c", "https://shop.test", "https://shop.test/x", "https://shop.test?x"})
        EXPECT_TRUE(stays_with(app, fine)) << fine;
    for (const char* away :
         {"", "//evil.test", "/\\evil.test", "\\/evil.test", "https://shop.test.evil.test",
          "https://shop.test@evil.test", "https://evil.test", "javascript:alert(1)",
          "/\t/evil.test", "relative"})
        EXPECT_FALSE(stays_with(app, away)) << away;
    EXPECT_FALSE(stays_with("", "https://x.test"));
    EXPECT_EQ(base::percent_encoded("a b&c/é~"), "a%20b%26c%2F%C3%A9~");
}

}  // namespace
}  // namespace svc::auth
