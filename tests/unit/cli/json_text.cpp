#include "cli/json_text.hpp"

#include <gtest/gtest.h>

namespace svc::cli {
namespace {

TEST(CliJsonText, FindsAMemberAsItIsWritten) {
    const char* text = R"( {"a" : "x,\"}", "n":1.10 , "o":{"n":[1, {"n":2}]},"e":null})";
    EXPECT_EQ(member_text(text, "a"), R"("x,\"}")");
    EXPECT_EQ(member_text(text, "n"), "1.10");
    EXPECT_EQ(member_text(text, "o"), R"({"n":[1, {"n":2}]})");
    EXPECT_EQ(member_text(text, "e"), "null");
    EXPECT_EQ(member_text(text, "x"), "");
    EXPECT_EQ(member_text("[1]", "x"), "");
}

TEST(CliJsonText, IndentsWithoutTouchingValues) {
    EXPECT_EQ(indented(R"({"a":[],"b":{ },"c":[1.10,"x: {"]})"),
              "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1.10,\n    \"x: {\"\n  ]\n}\n");
}

}  // namespace
}  // namespace svc::cli
