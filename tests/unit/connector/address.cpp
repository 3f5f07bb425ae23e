// The request of an action's call, and its visible credentials.
#include <gtest/gtest.h>

#include "base/base64url.hpp"
#include "connector/action_request.hpp"
#include "connector/tool/tool_headers.hpp"
#include "run/call/mask.hpp"

namespace svc::connector {
namespace {

ActionRequest asked(const std::string& path, const std::string& props,
                    const std::string& method = "GET") {
    Integration integration;
    integration.base_url = "https://a.test/v1";
    Action action;
    action.method = method;
    action.path = path;
    return request_of(integration, action, json::parse(props).value);
}

TEST(ConnectorAddress, FillsThePathAndSendsTheRest) {
    const ActionRequest get =
        asked("/x/{a}-{b}", R"({"a":"q/ü?","b":5,"c":[1,"z&"],"d":null,"e":true})");
    EXPECT_EQ(get.problem, "");
    EXPECT_EQ(get.fetch.url, "https://a.test/v1/x/q%2F%C3%BC%3F-5?c=1&c=z%26&e=true");
    const ActionRequest post = asked("/x/{a}", R"({"a":"1","b":{"n":1.50},"c":null})", "POST");
    EXPECT_EQ(post.fetch.url, "https://a.test/v1/x/1");
    EXPECT_EQ(post.fetch.body, R"({"b":{"n":1.50},"c":null})");
}

TEST(ConnectorAddress, LeadsNowhereElse) {
    for (const char* props :
         {R"({"a":".","b":"x"})", R"({"a":"..","b":"x"})", R"({"a":"","b":"x"})",
          R"({"a":null,"b":"x"})", R"({"a":{},"b":"x"})", R"({"b":"x"})", R"({"a":"../c","b":"x"})",
          R"({"a":"c/..","b":"x"})", R"({"a":"c\\..\\d","b":"x"})"})
        EXPECT_NE(asked("/{a}/{b}", props).problem, "") << props;
    EXPECT_NE(asked("/{a}{b}", R"({"a":".","b":"."})").problem, "");
    EXPECT_EQ(asked("/{a}{b}", R"({"a":".","b":"x"})").problem, "");
    EXPECT_EQ(asked("/{a}", R"({"a":"%2e%2e"})").fetch.url, "https://a.test/v1/%252e%252e");
}

TEST(ToolHeaders, AreReadOnlyWhereTheyMayStand) {
    const auto sound = [](const std::string& schema) {
        ToolHeaders out;
        return read_headers(json::parse(schema).value, out);
    };
    EXPECT_TRUE(sound(R"({"properties":{"a":{"type":"string","x-mcp-header":"Region"}}})"));
    EXPECT_FALSE(sound(R"({"properties":{"a":{"type":"number","x-mcp-header":"Region"}}})"));
    EXPECT_FALSE(sound(R"({"properties":{"a":{"type":"string","x-mcp-header":"Re gion"}}})"));
    EXPECT_FALSE(sound(R"({"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB: c"}}})"));
    EXPECT_FALSE(sound(
        R"({"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}})"));
    EXPECT_FALSE(sound(R"({"properties":{"a":{"items":{"type":"string","x-mcp-header":"X"}}}})"));
}

TEST(ToolHeaders, EncodeWhatIsNoHeader) {
    const auto shown = [](const std::string& value) {
        const ToolHeaders headers = {{{"a"}, "Region"}};
        const auto all =
            mirrored_headers("t", headers, json::parse(R"({"a":)" + value + "}").value);
        return all.size() < 2 ? "" : all[1].second;
    };
    EXPECT_EQ(shown(R"("us-west1")"), "us-west1");
    EXPECT_EQ(shown("42"), "42");
    EXPECT_EQ(shown("null"), "");
    EXPECT_EQ(shown(R"(" padded ")"), "=?base64?IHBhZGRlZCA=?=");
    EXPECT_EQ(shown(R"("line1\nline2")"), "=?base64?bGluZTEKbGluZTI=?=");
    EXPECT_EQ(shown(R"("=?base64?literal?=")"), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}

TEST(Mask, FindsASecretHoweverItIsWritten) {
    const std::string secret = "k3y/with\"odd%chars+";
    std::string percent, unicode;
    for (const char c : secret) {
        char text[8];
        std::snprintf(text, sizeof(text), "%%%02x", c);
        percent += text;
        std::snprintf(text, sizeof(text), "\\u00%02X", c);
        unicode += text;
    }
    const std::string forms[] = {secret,
                                 "k3y/with\\\"odd%chars+",
                                 "k3y\\/with\\\"odd%chars+",
                                 "k3y%2Fwith%22odd%25chars%2B",
                                 percent,
                                 unicode,
                                 "k3y/with\r\n \"odd%chars+",
                                 "k3y/with\\r\\n \\\"odd%chars+",
                                 base::base64url(secret)};
    for (const std::string& form : forms)
        EXPECT_EQ(run::masked("<" + form + ">", {secret}), "<***>") << form;
    for (const std::string before : {"", "u:", "us:", "user:"}) {
        const std::string encoded = base::base64url(before + secret + ":z");
        const std::string shown = run::masked(encoded, {secret});
        EXPECT_NE(shown.find("***"), std::string::npos) << before;
        EXPECT_LT(shown.size(), encoded.size() / 2 + 6) << before;
    }
}

TEST(Mask, HidesWordsOfASecretAndLeavesOthers) {
    const std::vector<std::string> secrets = {"Token abcdefgh01; sig=zyxwvuts99", "abc"};
    EXPECT_EQ(run::masked("a abcdefgh01 b zyxwvuts99 Token abc", secrets), "a *** b *** Token abc");
    EXPECT_EQ(run::masked("nothing % \\ \\u00 here", secrets), "nothing % \\ \\u00 here");
}

}  // namespace
}  // namespace svc::connector
