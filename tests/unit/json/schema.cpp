// Checks of values against JSON Schemas.
#include <gtest/gtest.h>

#include "json/schema.hpp"

namespace svc::json {
namespace {

std::string why(const std::string& value, const std::string& schema) {
    const Parsed one = parse(value), other = parse(schema);
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(other.error, "");
    return misfit(one.value, other.value);
}

struct Case {
    const char *schema, *good, *bad;
};

TEST(Schema, KeywordsHoldAndRefuse) {
    const Case cases[] = {
        {R"({"type":"string"})", R"("x")", "1"},
        {R"({"type":"integer"})", "1.0", "1.5"},
        {R"({"type":["null","boolean"]})", "null", "0"},
        {R"({"enum":[1,"a",{"b":[]}]})", R"({"b":[]})", "2"},
        {R"({"const":{"a":1,"b":2}})", R"({"b":2.0,"a":1})", R"({"a":1})"},
        {R"({"minimum":2,"maximum":4})", "4", "5"},
        {R"({"exclusiveMinimum":2})", "2.1", "2"},
        {R"({"multipleOf":3})", "9", "10"},
        {R"({"minLength":2,"maxLength":3})", "\"\u00e9\u00e9\"", R"("abcd")"},
        {R"({"pattern":"^a+$"})", R"("aa")", R"("ab")"},
        {R"({"minItems":1,"uniqueItems":true})", "[1,2]", "[1,1.0]"},
        {R"({"items":{"type":"number"}})", "[1]", R"([1,"x"])"},
        {R"({"required":["a"]})", R"({"a":null})", "{}"},
        {R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})", R"({"a":1})"},
        {R"({"properties":{"a":true},"additionalProperties":false})", R"({"a":1})", R"({"b":1})"},
        {R"({"additionalProperties":{"type":"number"}})", R"({"b":1})", R"({"b":"x"})"},
        {R"({"maxProperties":1})", R"({"b":1})", R"({"a":1,"b":1})"},
        {R"({"allOf":[{"minimum":1},{"maximum":3}]})", "2", "4"},
        {R"({"anyOf":[{"minimum":5},{"maximum":1}]})", "6", "3"},
        {R"({"oneOf":[{"minimum":5},{"minimum":7}]})", "6", "8"},
        {R"({"not":{"type":"string"}})", "1", R"("x")"},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(why(one.good, one.schema), "") << one.schema;
        EXPECT_NE(why(one.bad, one.schema), "") << one.schema;
    }
    EXPECT_EQ(why("1", "true"), "");
    EXPECT_NE(why("1", "false"), "");
}

TEST(Schema, NamesThePlace) {
    const char* schema =
        R"({"properties":{"list":{"items":{"properties":{"n":{"type":"integer"}}}}}})";
    EXPECT_EQ(why(R"({"list":[{"n":1},{"n":"x"}]})", schema), "/list/1/n must be of type integer.");
}

TEST(Schema, MatchesNoLongTexts) {
    const std::string text = '"' + std::string(100'000, 'a') + '"';
    EXPECT_NE(why(text, R"({"pattern":"^(a|a)*$"})"), "");
    EXPECT_NE(why(R"("a")", R"({"pattern":"("})"), "");
}

}  // namespace
}  // namespace svc::json
