// What tool servers answer, read: messages, tools of a listing, results of calls.
#include <gtest/gtest.h>

#include "connector/tool/reply.hpp"
#include "connector/tool/tool.hpp"

namespace svc::connector {
namespace {

json::Value parsed(const std::string& text) {
    json::Parsed out = json::parse(text);
    EXPECT_EQ(out.error, "") << text;
    return out.value;
}

TEST(ToolReply, IsTheAnswerToOurMessage) {
    Reply reply;
    for (const char* other : {"", "{", "[]", "7", R"({"method":"notifications/progress"})",
                              R"({"id":2,"result":{}})", R"({"id":1,"result":7})", R"({"id":1})"})
        EXPECT_FALSE(reply.take(other)) << other;
    EXPECT_TRUE(reply.take(R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})"));
    EXPECT_TRUE(reply.ok());
    EXPECT_EQ(reply.result.shown(), R"({"a":1})");
}

TEST(ToolReply, MayStandInAList) {
    const std::string note = R"({"method":"notifications/message"})",
                      ours = R"({"id":1,"result":{"a":1}})";
    for (const std::string& list :
         {"[" + ours + "]", "[" + note + "," + ours + "]", "[7," + ours + "," + note + "]"}) {
        Reply reply;
        EXPECT_TRUE(reply.take(list)) << list;
        EXPECT_TRUE(reply.ok() && reply.result.find("a")) << list;
    }
    Reply reply;
    EXPECT_FALSE(reply.take("[" + note + ",[" + ours + "]]"));
}

TEST(ToolReply, MayBeAnErrorOfAnyShape) {
    for (const auto& [error, code] :
         {std::pair(R"({"code":-32022,"message":"No"})", -32022), std::pair(R"({"code":0})", -1),
          std::pair("{}", -1), std::pair(R"({"code":99999999999})", -1)}) {
        Reply reply;
        EXPECT_TRUE(reply.take(R"({"id":null,"error":)" + std::string(error) + "}")) << error;
        EXPECT_FALSE(reply.ok()) << error;
        EXPECT_EQ(reply.code, code) << error;
    }
}

std::string with_marks(std::size_t count) {
    std::string out = R"({"name":"t","inputSchema":{"properties":{)";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = "p" + std::to_string(i);
        out +=
            (i > 0 ? ",\"" : "\"") + name + R"(":{"type":"string","x-mcp-header":")" + name + "\"}";
    }
    return out + "}}}";
}

TEST(ToolListing, HasToolsThatCanBeCalled) {
    const auto tool = read_tool(parsed(with_marks(2)));
    ASSERT_TRUE(tool);
    EXPECT_EQ(tool->name, "t");
    EXPECT_EQ(tool->headers.size(), 2U);
    EXPECT_TRUE(read_tool(parsed(with_marks(64))));
    for (
        const std::string& none :
        {std::string("{}"), std::string(R"({"name":""})"), with_marks(65),
         R"({"name":")" + std::string(129, 'x') + "\"}",
         std::string(
             R"({"name":"t","inputSchema":{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}})")})
        EXPECT_FALSE(read_tool(parsed(none))) << none.substr(0, 80);
}

TEST(ToolResult, IsStructuredOrItsParts) {
    EXPECT_EQ(read_result(parsed(R"({"content":[{"type":"text","text":"5"}]})")).data,
              R"([{"type":"text","text":"5"}])");
    EXPECT_EQ(read_result(parsed(R"({"content":[],"structuredContent":{"n":5}})")).data,
              R"({"n":5})");
    EXPECT_EQ(read_result(parsed("{}")).data, "[]");
    EXPECT_FALSE(read_result(parsed(R"({"resultType":"input_required"})")).ok());
    const Outcome broken =
        read_result(parsed(R"({"isError":true,"content":[{"type":"text","text":"It broke"}]})"));
    EXPECT_EQ(broken.error, "The tool failed: It broke");
}

}  // namespace
}  // namespace svc::connector
