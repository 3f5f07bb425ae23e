#include "platform/account/credentials.hpp"

#include <gtest/gtest.h>

#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/formats.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "platform/account/login_throttle.hpp"
#include "platform/project/projects.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

TEST(SessionSigner, TakesItsOwnUntilTheyEnd) {
    const SessionSigner signer("key");
    const std::string token = signer.sign("user", "session", 100, 200);
    EXPECT_EQ(signer.verify(token, 199), "session");
    EXPECT_EQ(signer.verify(token, 200), std::nullopt);
    EXPECT_EQ(SessionSigner("other").verify(token, 150), std::nullopt);
}

TEST(SessionSigner, RefusesWhatWasTouched) {
    const SessionSigner signer("key");
    const std::string token = signer.sign("user", "session", 100, 200);
    const auto first = token.find('.'), last = token.rfind('.');
    const std::string none = base::base64url(R"({"alg":"none","typ":"JWT"})");
    const std::string claims = base::base64url(R"({"sub":"user","jti":"other","iat":1,"exp":999})");
    EXPECT_EQ(signer.verify(none + token.substr(first), 150), std::nullopt);
    EXPECT_EQ(signer.verify(token.substr(0, first + 1) + claims + token.substr(last), 150),
              std::nullopt);
    for (const char* text : {"", ".", "..", "a.b", "a.b.c"})
        EXPECT_EQ(signer.verify(text, 150), std::nullopt) << text;
    EXPECT_EQ(signer.verify(token.substr(0, last + 1), 150), std::nullopt);
}

TEST(Seal, OpensUnderItsKeyAndContextAlone) {
    const std::string key = base::derive_key("master", "test");
    const std::string sealed = base::seal(key, "project/NAME/dev", "a value");
    EXPECT_EQ(sealed.find("a value"), std::string::npos);
    EXPECT_NE(sealed, base::seal(key, "project/NAME/dev", "a value"));
    EXPECT_EQ(base::unseal(key, "project/NAME/dev", sealed), "a value");
    EXPECT_EQ(base::unseal(key, "project/NAME/prod", sealed), std::nullopt);
    EXPECT_EQ(base::unseal(base::derive_key("other", "test"), "project/NAME/dev", sealed),
              std::nullopt);
    for (const std::size_t at : {std::size_t{0}, sealed.size() / 2, sealed.size() - 1}) {
        std::string touched = sealed;
        touched[at] = static_cast<char>(touched[at] ^ 1);
        EXPECT_EQ(base::unseal(key, "project/NAME/dev", touched), std::nullopt) << at;
    }
    EXPECT_EQ(base::unseal(key, "project/NAME/dev", ""), std::nullopt);
    EXPECT_EQ(base::unseal(key, "", base::seal(key, "", "")), "");
}

TEST(LoginThrottle, TenFailuresThenAPause) {
    LoginThrottle throttle;
    const LoginThrottle::Clock::time_point begin{};
    for (int i = 0; i < 10; ++i) EXPECT_EQ(throttle.take("ann", "::1", begin + i * 1s), 0);
    EXPECT_GT(throttle.take("ann", "::1", begin + 10s), 0);
    EXPECT_GT(throttle.take("ann", "::2", begin + 10s), 0);  // the same network
    EXPECT_EQ(throttle.take("ann", "2001:db8::1", begin + 10s), 0);
    EXPECT_EQ(throttle.take("bob", "::1", begin + 10s), 0);
    EXPECT_EQ(throttle.take("ann", "::1", begin + 15min), 0) << "the first one is over";
    EXPECT_GT(throttle.take("ann", "::1", begin + 15min), 0);
    throttle.succeeded("ann", "::1");
    EXPECT_EQ(throttle.take("ann", "::1", begin + 15min), 0);
}

// Tries that have not ended count: a burst meets the limit like tries one by one.
TEST(LoginThrottle, TriesUnderWayCount) {
    LoginThrottle throttle;
    const LoginThrottle::Clock::time_point begin{};
    int through = 0;
    for (int i = 0; i < 30; ++i) through += throttle.take("ann", "::1", begin) == 0;
    EXPECT_EQ(through, 10);
    for (int i = 0; i < 3; ++i) throttle.give_back("ann", "::1");
    through = 0;
    for (int i = 0; i < 30; ++i) through += throttle.take("ann", "::1", begin) == 0;
    EXPECT_EQ(through, 3);
}

TEST(LoginThrottle, ManyAccountsFromOneNetwork) {
    LoginThrottle throttle;
    const LoginThrottle::Clock::time_point begin{};
    for (int i = 0; i < 50; ++i)
        EXPECT_EQ(throttle.take("account " + std::to_string(i), "::1", begin), 0);
    EXPECT_GT(throttle.take("someone", "::1", begin), 0);
    EXPECT_EQ(throttle.take("someone", "2001:db8::1", begin), 0);
    throttle.succeeded("account 1", "::1");
    EXPECT_EQ(throttle.take("someone", "::1", begin), 0) << "what was right counts nowhere";
    EXPECT_GT(throttle.take("someone", "::1", begin), 0) << "one's own account ends nothing else";
    EXPECT_EQ(throttle.take("someone", "::1", begin + 15min), 0);
}

TEST(Slug, IsMadeOfAName) {
    EXPECT_EQ(slug_of("Corner Shop"), "corner-shop");
    EXPECT_EQ(slug_of("  Été 24! "), "t-24");
    EXPECT_EQ(slug_of("preview-x"), "app-preview-x");
    EXPECT_EQ(slug_of("日本"), "app");
    EXPECT_EQ(slug_of(std::string(39, 'a') + " b"), std::string(39, 'a'));
}

TEST(Crypto, IdsAndEncodings) {
    const std::string id = base::new_uuid();
    EXPECT_TRUE(base::is_uuid(id)) << id;
    EXPECT_EQ(id[14], '7');
    EXPECT_FALSE(base::is_uuid("nonsense"));
    EXPECT_EQ(base::base64url_decoded(base::base64url(std::string("\0\xff\x7e", 3))),
              std::string("\0\xff\x7e", 3));
    EXPECT_EQ(base::unhex(base::hex("\x01\xfe")), "\x01\xfe");
    EXPECT_EQ(base::sha256_hex("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace svc::devapi
