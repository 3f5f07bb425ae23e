#include "auth/passkey/webauthn.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "identity/token.hpp"

namespace svc::auth {
namespace {

constexpr const char* kSite = "shop.test";
constexpr std::string_view kCredential = "the name of a key";

std::string from_hex(std::string_view hex) {
    std::string out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return out;
}

std::string text_of(const base::Digest& digest) { return {digest.begin(), digest.end()}; }

// A point of the curve P-256: its generator.
const std::string kX = from_hex("6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296");
const std::string kY = from_hex("4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5");

// As an authenticator prints a new ES256 key.
std::string made_at(const std::string& site, char flags, const std::string& y = kY) {
    std::string out = text_of(base::sha256(site));
    out += flags;
    out += std::string("\0\0\0\7", 4);
    out += std::string(16, '\0');
    out += '\0';
    out += static_cast<char>(kCredential.size());
    out += kCredential;
    out += from_hex("A5010203262001215820") + kX + from_hex("225820") + y;
    return out;
}

TEST(Webauthn, ReadsANewKey) {
    const auto made = passkey::read_new_passkey(made_at(kSite, 0x45), kSite);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->credential, kCredential);
    EXPECT_EQ(made->key.algorithm, -7);
    EXPECT_EQ(made->key.bytes, kX + kY);
    EXPECT_EQ(made->sign_count, 7U);
}

TEST(Webauthn, ReadsNoneOfAnotherSiteOrWithoutItsOwner) {
    EXPECT_FALSE(passkey::read_new_passkey(made_at("evil.test", 0x45), kSite));
    for (const char flags : {0x44, 0x41, 0x05}) {
        EXPECT_FALSE(passkey::read_new_passkey(made_at(kSite, flags), kSite)) << int(flags);
    }
}

TEST(Webauthn, TakesNoPointBesideTheCurve) {
    std::string y = kY;
    y.back() ^= 1;
    EXPECT_FALSE(passkey::read_new_passkey(made_at(kSite, 0x45, y), kSite));
}

TEST(Webauthn, CutOrChangedDataIsRefusedOrReadAndNothingElse) {
    const std::string whole = made_at(kSite, 0x45);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(passkey::read_new_passkey(std::string_view(whole).substr(0, size), kSite))
            << size;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const int bit : {0x01, 0x10, 0x80}) {
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ bit);
            passkey::read_new_passkey(changed, kSite);
            passkey::verified_use({-7, kX + kY}, {}, changed, changed, kSite);
        }
    }
}

TEST(Webauthn, AUseWithoutASignatureOfTheKeyIsNone) {
    passkey::ClientData client;
    client.hash = text_of(base::sha256("{}"));
    const std::string data = made_at(kSite, 0x05).substr(0, 37);
    for (const int algorithm : {-7, -8, -257, -35, 0}) {
        EXPECT_FALSE(
            passkey::verified_use({algorithm, kX + kY}, client, data, "no signature", kSite));
        EXPECT_FALSE(passkey::verified_use({algorithm, ""}, client, data, "", kSite));
    }
}

TEST(Webauthn, ReadsWhatABrowserSaysItWasAsked) {
    const std::string text =
        R"({"type":"webauthn.get","challenge":"abc","origin":"https://shop.test","crossOrigin":true,"other":{}})";
    const auto client = passkey::read_client_data(base::base64url(text));
    ASSERT_TRUE(client);
    EXPECT_EQ(client->type, "webauthn.get");
    EXPECT_EQ(client->challenge, "abc");
    EXPECT_EQ(client->origin, "https://shop.test");
    EXPECT_TRUE(client->cross_origin);
    EXPECT_EQ(client->hash, text_of(base::sha256(text)));
    for (const std::string& wrong : {std::string(), std::string("[]"), text + "x", text + text})
        EXPECT_FALSE(passkey::read_client_data(base::base64url(wrong))) << wrong;
    EXPECT_FALSE(passkey::read_client_data("not base64!"));
}

}  // namespace
}  // namespace svc::auth
