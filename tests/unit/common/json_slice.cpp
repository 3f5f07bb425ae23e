#include "common/json_slice.hpp"

#include <gtest/gtest.h>

namespace svc::devapi {
namespace {

TEST(JsonSlice, KeepsOrderAndDigits) {
    const std::string_view body =
        R"({"a": 1.50, "contract" : {"z":1e400,"b":"}\""} , "c":[1,{"x":"]"}]})";
    EXPECT_EQ(json_member(body, "contract"), R"({"z":1e400,"b":"}\""})");
    EXPECT_EQ(json_member(body, "a"), "1.50");
    EXPECT_EQ(json_member(body, "c"), R"([1,{"x":"]"}])");
    EXPECT_EQ(json_member(body, "d"), std::nullopt);
}

TEST(JsonSlice, LastTwinCountsAndNamesAreDecoded) {
    EXPECT_EQ(json_member(R"({"a":1,"\u0061":2})", "a"), "2");
    EXPECT_EQ(json_members(R"({"a":1,"a":2})").size(), 1u);
}

TEST(JsonSlice, NoObjectHasNoMembers) {
    for (const char* text : {"[1]", "1", "\"a\"", "{}", " { } ", ""})
        EXPECT_TRUE(json_members(text).empty()) << text;
}

TEST(JsonSlice, ReplacesOrAddsAMember) {
    EXPECT_EQ(with_member(R"({"seeds": {"a":[1]}, "b":2})", "seeds", "\"UNCHANGED\""),
              R"({"seeds": "UNCHANGED", "b":2})");
    EXPECT_EQ(with_member("{\n  \"b\": 2\n}\n", "seeds", "3"),
              "{\n  \"b\": 2,\n  \"seeds\": 3\n}\n");
    EXPECT_EQ(with_member("{}", "a", "1"), R"({"a": 1})");
}

TEST(JsonSlice, ChangesKeepTheLayoutAroundThem) {
    const std::string lines = "{\n  \"a\": [\n    1.50,\n    {\"x\":1}\n  ]\n}\n";
    const std::string list(*json_member(lines, "a"));
    EXPECT_EQ(json_elements(list), (std::vector<std::string_view>{"1.50", "{\"x\":1}"}));
    EXPECT_EQ(with_appended(list, "2"), "[\n    1.50,\n    {\"x\":1},\n    2\n  ]");
    EXPECT_EQ(with_element(list, 1, "2"), "[\n    1.50,\n    2\n  ]");
    EXPECT_EQ(without_element(list, 0), "[\n    {\"x\":1}\n  ]");
    EXPECT_EQ(without_element(list, 1), "[\n    1.50\n  ]");
    EXPECT_EQ(without_element("[ 1 ]", 0), "[]");
    EXPECT_EQ(with_appended("[ ]", "1"), "[1]");
    EXPECT_EQ(with_appended("[1]", "2"), "[1, 2]");
    EXPECT_TRUE(json_elements("{\"a\":1}").empty());
    EXPECT_EQ(without_member(R"({"a": 1, "b": "]", "a": 3})", "a"), R"({"b": "]"})");
    EXPECT_EQ(without_member(R"({"a": 1})", "b"), R"({"a": 1})");
    EXPECT_EQ(without_member(R"({"a": 1})", "a"), "{}");
    EXPECT_EQ(with_renamed_member(R"({"z":0, "\u0061" : 1})", "a", "b\""), R"({"z":0, "b\"" : 1})");
}

TEST(JsonSlice, DepthIsTheAuthorsChoice) {
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_EQ(json_member("{\"a\":" + deep + ",\"b\":1}", "b"), "1");
}

}  // namespace
}  // namespace svc::devapi
