#include "contract/parse.hpp"

#include <gtest/gtest.h>

#include <string>

#include "unit/model/contract.hpp"

namespace {

using svc::contract::parse;
using svc::contract::Parsed;
using svc::tests::codes;
using Codes = std::vector<std::string>;

TEST(ContractParse, TakesTheLeast) {
    const Parsed parsed = parse(R"({"app": {"name": "A"}})");
    ASSERT_TRUE(parsed.contract);
    EXPECT_TRUE(parsed.findings.all().empty());
    EXPECT_EQ(parsed.contract->app.name.path, "/app/name");
    EXPECT_FALSE(parsed.contract->seeds);
}

TEST(ContractParse, KeepsEveryDigitAndTheOrder) {
    const Parsed parsed = parse(
        R"({"app": {"name": "A"}, "seeds": {"b": [{"x": 1.10}], "a": [{"y": 123456789012345678901234567890}]}})");
    ASSERT_TRUE(parsed.contract);
    const auto& seeds = *parsed.contract->seeds;
    EXPECT_EQ(svc::contract::json_text(seeds),
              R"({"b":[{"x":1.10}],"a":[{"y":123456789012345678901234567890}]})");
    EXPECT_EQ(seeds.members[1].value.items[0].members[0].value.path, "/seeds/a/0/y");
}

TEST(ContractParse, ReadsAllFormsOfGrants) {
    const Parsed parsed =
        parse(R"({"app": {"name": "A"}, "entities": [{"name": "e", "fields": [], "access": {
        "read": "*", "create": ["a", {"to": "b", "if": "x"}], "update": {"to": "c", "fields": ["f"]},
        "delete": [], "deny": {"read": "d"}}}]})");
    ASSERT_TRUE(parsed.contract);
    const auto& access = *parsed.contract->entities[0].access;
    EXPECT_EQ(access.grants.read.at(0).to.text, "*");
    EXPECT_EQ(access.grants.create.at(0).path, "/entities/0/access/create/0");
    EXPECT_EQ(access.grants.create.at(1).condition->text, "x");
    EXPECT_EQ(access.grants.update.at(0).fields->at(0).text, "f");
    EXPECT_TRUE(access.grants.remove.empty());
    EXPECT_EQ(access.deny.read.at(0).to.text, "d");
    EXPECT_TRUE(access.has_grants);
}

TEST(ContractParse, CollectsAllMistakes) {
    const Parsed parsed =
        parse(R"({"ap": {}, "personas": {}, "entities": [{"name": "E", "fields": [{}]}]})");
    ASSERT_TRUE(parsed.contract);
    EXPECT_TRUE(parsed.contract->entities[0].fields.empty());
    // "ap" was meant to be "app": that one is not missing too.
    EXPECT_EQ(codes(parsed.findings),
              (Codes{"UNKNOWN_KEY", "WRONG_TYPE", "BAD_NAME", "MISSING_KEY", "MISSING_KEY"}));
}

TEST(ContractParse, PlacesMistakesOfTheJsonItself) {
    const Parsed parsed = parse("{\n  \"app\": }");
    ASSERT_EQ(codes(parsed.findings), Codes{"SYNTAX"});
    EXPECT_EQ(parsed.findings.all()[0].line, 2);
    EXPECT_EQ(parsed.findings.all()[0].column, 10);
}

TEST(ContractParse, NeverThrows) {
    for (const std::string& text :
         {std::string(), std::string("\xFF"), std::string(200000, '['), std::string("nul"),
          std::string("1e999"), std::string(R"({"app": {"name": "\ud800"}})"),
          std::string("{\"a\":1}{"), std::string("\0", 1)}) {
        const Parsed parsed = parse(text);
        EXPECT_FALSE(parsed.contract) << text.substr(0, 20);
        EXPECT_TRUE(parsed.findings.has_errors()) << text.substr(0, 20);
    }
}

}  // namespace
