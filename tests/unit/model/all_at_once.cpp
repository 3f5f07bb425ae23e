// Every mistake of a contract is reported at once, and none of them twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline.hpp"

namespace svc::pipeline {
namespace {

std::vector<std::string> found(const std::string& contract) {
    std::vector<std::string> out;
    const Checked checked = check(contract);
    for (const diag::Finding& finding : checked.findings.all()) {
        if (finding.severity == diag::Severity::warning) continue;
        out.push_back(std::to_string(finding.line) + " " + finding.code);
    }
    EXPECT_EQ(checked.plan.has_value(), out.empty());
    return out;
}

using Lines = std::vector<std::string>;

TEST(AllAtOnce, MistakesOfEveryStageInTheAuthorsOrder) {
    EXPECT_EQ(
        found(R"({
  "app": {"name": "Many", "curency": "eur"},
  "personas": [{"id": "customer", "kind": "consumr"}, {"id": "clerk", "kind": "staff"}],
  "entities": [
    {"name": "product", "owner": "none", "fields": [
      {"name": "price", "type": "money", "min": "x"}],
     "access": {"read": [{"to": "clerk", "if": "pric > 1"}], "update": "clerc"}},
    {"name": "line", "fields": [
      {"name": "qty", "type": "integer", "default": "a"}],
     "rules": [{"on": ["create"], "refuse": "new.qty > 'a'", "message": "x"}],
     "access": {"read": "clerk"}}],
  "seeds": {"prduct": []}
})"),
        (Lines{"2 UNKNOWN_KEY", "3 UNKNOWN_VALUE", "6 BAD_OPTION", "7 UNKNOWN_FIELD",
               "7 UNKNOWN_PRINCIPAL", "9 BAD_DEFAULT", "10 TYPE_MISMATCH", "12 UNKNOWN_ENTITY"}));
}

TEST(AllAtOnce, WhatNamesAnUnsoundPartIsNoSecondMistake) {
    EXPECT_EQ(found(R"({
  "app": {"name": "Cascade"},
  "personas": [{"id": "customer", "kind": "consumr"}],
  "entities": [
    {"name": "maker", "feilds": [], "access": {"read": "customer"}},
    {"name": "product", "owner": "usr", "fields": [
      {"name": "title", "type": "strng"},
      {"name": "kind", "type": "enum", "values": 5},
      {"name": "maker_id", "type": "ref", "to": "maker"},
      {"name": "shop_id", "type": "ref", "to": "shop"}],
     "relations": {"lines": {"many": "lyne", "by": "product_id"}},
     "access": {"read": [{"to": "customer", "if": "user_id == user.id && title == 'a'"},
                         {"to": "customer", "if": "maker.name == 'b' && shop.name == 'c'"},
                         {"to": "customer", "if": "exists(lines) && kind == 'x'"}]}}],
  "seeds": {"product": [{"title": "t", "maker_id": "@m", "kind": "y"}], "maker": [{"_key": "m"}]}
})"),
              (Lines{"3 UNKNOWN_VALUE", "5 UNKNOWN_KEY", "6 UNKNOWN_VALUE", "7 UNKNOWN_VALUE",
                     "8 WRONG_TYPE", "10 UNKNOWN_ENTITY", "11 UNKNOWN_ENTITY"}));
}

TEST(AllAtOnce, AnUnsoundAppHidesNothingElse) {
    EXPECT_EQ(found(R"({"app": 5,
"personas": [{"id": "Bad Name", "kind": "staff"}]})"),
              (Lines{"1 WRONG_TYPE", "2 BAD_NAME"}));
    EXPECT_EQ(found(R"({"entities": [{"name": "a"}]})"), (Lines{"1 MISSING_KEY", "1 MISSING_KEY"}));
    EXPECT_EQ(found("[]"), (Lines{"1 WRONG_TYPE"}));
}

TEST(AllAtOnce, NamesThatDoNotFitTheDatabaseAreToldBesideOtherMistakes) {
    const std::string longest(48, 'a');
    EXPECT_EQ(found(R"({"app": {"name": "Long", "locle": "en"},
"entities": [{"name": ")" +
                    longest + R"(", "fields": [
{"name": ")" + longest +
                    R"(", "type": "text"}]}]})"),
              (Lines{"1 UNKNOWN_KEY", "3 NAME_TOO_LONG"}));
}

// Warnings too, if they do not hang on what is in doubt.
TEST(AllAtOnce, MistakesInSettingsHideNoWarnings) {
    const auto warned = [](const std::string& app, const std::string& title,
                           const std::string& condition) {
        Lines out;
        const Checked checked = check(R"({"app": )" + app + R"(,
"personas": [{"id": "p", "kind": "consumer"}],
"entities": [{"name": "a", "owner": "none", "fields": [{"name": "title", "type": ")" +
                                      title + R"("}],
"access": {"read": [{"to": "*", "if": ")" +
                                      condition + R"("}, "p"], "create": "*"}}]})");
        for (const diag::Finding& finding : checked.findings.all()) {
            if (finding.severity == diag::Severity::warning)
                out.push_back(std::to_string(finding.line) + " " + finding.code);
        }
        return out;
    };
    const std::string never = "title == 'a' && title == 'b'";
    const Lines whole = warned(R"({"name": "A"})", "string", never);
    EXPECT_NE(std::find(whole.begin(), whole.end(), "4 CONDITION_NEVER_TRUE"), whole.end());
    EXPECT_EQ(warned(R"({"name": "A", "timezone": "Nowhere"})", "string", never), whole);
    EXPECT_EQ(warned(R"({"name": "A", "locle": "de"})", "string", never), whole);
    // A condition that has lost its meaning is not one that always holds.
    EXPECT_EQ(warned(R"({"name": "A", "locle": "de"})", "string", "locle == 'b'"), Lines{});
    EXPECT_EQ(warned(R"({"name": "A"})", "strng", never), Lines{});
}

}  // namespace
}  // namespace svc::pipeline
