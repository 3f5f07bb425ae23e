#include "identity/token.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/sha256.hpp"

namespace svc::identity {
namespace {

TEST(Token, DigestIsSha256) {
    EXPECT_EQ(bytea_text(base::sha256("abc")),
              "\\xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Token, DigestSurvivesItsText) {
    const base::Digest digest = base::sha256("svc");
    EXPECT_EQ(digest_of(bytea_text(digest)), digest);
}

TEST(Token, OtherTextsAreNoDigest) {
    const std::string good = bytea_text(base::sha256("svc"));
    EXPECT_FALSE(digest_of(""));
    EXPECT_FALSE(digest_of(good.substr(1)));
    EXPECT_FALSE(digest_of(good + "0"));
    EXPECT_FALSE(digest_of(good.substr(0, good.size() - 1) + "g"));
}

TEST(Token, IsRandomAndKnownByItsShape) {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string token = random_token(kSessionPrefix);
        EXPECT_TRUE(has_token_shape(token, kSessionPrefix)) << token;
        seen.insert(token);
    }
    EXPECT_EQ(seen.size(), 1000U);
}

TEST(Token, ShapeRefusesWhatWasNeverMade) {
    const std::string token = random_token(kSessionPrefix);
    EXPECT_FALSE(has_token_shape("", kSessionPrefix));
    EXPECT_FALSE(has_token_shape("svc_s_nobody", kSessionPrefix));
    EXPECT_FALSE(has_token_shape(token + "A", kSessionPrefix));
    EXPECT_FALSE(has_token_shape(token.substr(0, token.size() - 1) + "'", kSessionPrefix));
    EXPECT_FALSE(has_token_shape("dpk_c_" + token.substr(6), kSessionPrefix));
}

}  // namespace
}  // namespace svc::identity
