// Values of any shape are read in a time that grows with their length.
#include "json/own.hpp"

#include <gtest/gtest.h>

#include <string>

namespace svc::json {
namespace {

std::string object_of(std::size_t members) {
    std::string out = "{";
    for (std::size_t i = 0; i < members; ++i)
        out += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
    return out + "}";
}

// If each name is compared with all others, this takes minutes, in which the server answers nobody.
TEST(JsonValue, ReadsObjectsOfManyMembers) {
    const Parsed parsed = parse(object_of(500'000));
    ASSERT_EQ(parsed.error, "");
    EXPECT_EQ(parsed.value.members.size(), 500'000U);
    EXPECT_EQ(parsed.value.find("k499999")->text, "499999");
}

TEST(JsonValue, RefusesTheSameMemberTwiceAmongFewAndMany) {
    for (const std::size_t members : {1U, 31U, 32U, 33U, 1000U}) {
        std::string text = object_of(members);
        EXPECT_EQ(parse(text).error, "");
        text.back() = ',';
        EXPECT_NE(parse(text + "\"k0\":1}").error.find("twice"), std::string::npos) << members;
        const std::string last = "\"k" + std::to_string(members - 1) + "\":1}";
        EXPECT_NE(parse(text + last).error.find("twice"), std::string::npos) << members;
    }
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

TEST(JsonValue, IsAsDeepAsItsReaderAllows) {
    EXPECT_EQ(parse(nested(64)).error, "");
    EXPECT_NE(parse(nested(65)).error, "");
    EXPECT_NE(parse(nested(1'000'000)).error, "");
    EXPECT_EQ(parse_own("{\"rows\":[" + nested(64) + "]}").error, "");
    EXPECT_EQ(parse_own(nested(kOwnDepth)).value.shown(), nested(kOwnDepth));
    EXPECT_NE(parse_own(nested(1'000'000)).error, "");
}

// A column of type json keeps what was written.
TEST(JsonValue, OfOurOwnMayHaveAMemberTwice) {
    const Parsed parsed = parse_own(R"({"rows":[{"kept":{"a":1,"a":2}}],"ok":true})");
    EXPECT_EQ(parsed.error, "");
    const Value* rows = parsed.value.find("rows");
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->items.front().find("kept")->shown(), R"({"a":1,"a":2})");
    EXPECT_EQ(rows->items.front().find("kept")->find("a")->text, "1");
}

}  // namespace
}  // namespace svc::json
