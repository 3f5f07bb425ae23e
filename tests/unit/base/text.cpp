#include <gtest/gtest.h>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/json_slice.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"

namespace svc::base {
namespace {

TEST(BaseHex, GoesBothWays) {
    EXPECT_EQ(hex("\x01\xfe"), "01fe");
    EXPECT_EQ(unhex("01FE"), "\x01\xfe");
    EXPECT_EQ(unhex("01f"), std::nullopt);
    EXPECT_EQ(unhex("0g"), std::nullopt);
}

TEST(BasePercent, LeavesWhatIsNoCode) {
    EXPECT_EQ(percent_encoded("a b/~é"), "a%20b%2F~%C3%A9");
    EXPECT_EQ(percent_decoded("a%20b%2Fc+%zz%4"), "a b/c+%zz%4");
    EXPECT_EQ(percent_decoded("a+b", true), "a b");
}

TEST(BaseJsonText, IsJsonWhateverTheBytes) {
    EXPECT_EQ(json_string("a\"\\\n\x01/"), R"("a\"\\\n\u0001/")");
    EXPECT_EQ(json_string("é\xff\xc3"), "\"é\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_EQ(json_string(""), R"("")");
}

TEST(BaseUtf8, KnowsWhatIsNone) {
    EXPECT_TRUE(is_utf8("é😀"));
    for (const char* text : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
        EXPECT_FALSE(is_utf8(text)) << text;
    EXPECT_EQ(characters("é😀a"), 3U);
}

TEST(BaseJsonSlice, TakesValuesOfAnyDepth) {
    std::string_view text = R"( {"a":[1,"]"]} , 2.50)";
    EXPECT_EQ(take_value(text), R"({"a":[1,"]"]})");
    EXPECT_TRUE(take(text, ','));
    EXPECT_FALSE(take(text, ','));
    EXPECT_EQ(take_value(text), "2.50");
    EXPECT_EQ(take_value(text), "");
}

TEST(BaseSha256, IsTheSameInPieces) {
    Sha256 pieces;
    EXPECT_EQ(pieces.add("a").add("bc").end(), sha256("abc"));
    EXPECT_NE(sha256_hex_of({"a", "bc"}), sha256_hex_of({"ab", "c"}));
    EXPECT_EQ(
        hex(bytes_of(hmac_sha256("key", {"The quick brown fox ", "jumps over the lazy dog"}))),
        "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
}

TEST(BaseAscii, KnowsNoOtherLetters) {
    EXPECT_EQ(lower("ABC-É"), "abc-É");
    EXPECT_TRUE(iequals("Content-Type", "content-type"));
    EXPECT_EQ(trim(" \ta b\t "), "a b");
}

}  // namespace
}  // namespace svc::base
