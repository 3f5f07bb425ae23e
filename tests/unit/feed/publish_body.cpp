// Bodies of POST /topics/<name>/publish.
#include "feed/topic/publish_body.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

std::string read(std::string_view body) {
    const auto payload = read_payload(body);
    return payload ? *payload : std::string(name(payload.error().code));
}

TEST(PublishBody, HoldsAnyJson) {
    EXPECT_EQ(read(R"({"payload": {"a": [1, "b"]}})"), R"({"a": [1, "b"]})");
    EXPECT_EQ(read(R"({"payload": 1.50})"), "1.50");
    EXPECT_EQ(read(R"({"payload":null})"), "null");
    EXPECT_EQ(read(R"({"payload":"\n\u2028"})"), R"("\n\u2028")");
}

TEST(PublishBody, MayLackAPayload) {
    for (const char* body : {"", " \r\n", "{}", " { } "}) EXPECT_EQ(read(body), "null") << body;
}

TEST(PublishBody, IsKeptInOneLine) {
    EXPECT_EQ(read("{\"payload\": {\r\n  \"a\":\n1}}"), "{    \"a\": 1}");
}

TEST(PublishBody, IsAnObjectOfThatMemberAlone) {
    for (const char* body :
         {"[]", "1", "null", "{", "{\"payload\"}", "{\"payload\": }", "{\"payload\": 1} 2",
          "{\"payload\": 1, \"payload\": 2}", "{\"payload\": 1, \"text\": 2}", "{\"text\": \"hi\"}",
          "{\"payload\": 1,}", "{\"payload\": \"a\nb\"}", "{\"payload\": \"\xff\"}"})
        EXPECT_EQ(read(body), "PARAMS_INVALID") << body;
    EXPECT_EQ(read_payload(R"({"text": 1})").error().field, "text");
}

TEST(PublishBody, HasABound) {
    const auto body = [](std::size_t size) {
        return "{\"payload\":\"" + std::string(size - 2, 'x') + "\"}";
    };
    EXPECT_EQ(read(body(kMaxPayload)).size(), kMaxPayload);
    EXPECT_EQ(read(body(kMaxPayload + 1)), "PAYLOAD_TOO_LARGE");
    std::string deep = "{\"payload\":" + std::string(100, '[') + std::string(100, ']') + "}";
    EXPECT_EQ(read(deep), "PARAMS_INVALID");
}

}  // namespace
}  // namespace svc::feed
