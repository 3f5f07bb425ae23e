#include <gtest/gtest.h>

#include "versions/contract_changes.hpp"
#include "versions/contract_merge.hpp"
#include "versions/json_parts.hpp"

namespace svc::devapi::versions {
namespace {

constexpr std::string_view kBase = R"({
  "app": {"name": "Shop"},
  "entities": [
    {"name": "product", "fields": [
      {"name": "title", "type": "string"},
      {"name": "price", "type": "money"}]},
    {"name": "order", "fields": []}],
  "seeds": {"product": [{"_key": "tea", "title": "Tea"}]}
})";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out(text);
    return out.replace(out.find(from), from.size(), to);
}

std::vector<std::string> described(std::string_view older, std::string_view newer) {
    std::vector<std::string> out;
    for (const auto& change : contract_changes(older, newer))
        out.push_back(std::string(base::word(change.kind)) + " " + change.path +
                      (change.was.empty() ? "" : " " + change.was + " " + change.is));
    return out;
}

using Lines = std::vector<std::string>;

TEST(Versions, SameMeaningIsNoChange) {
    EXPECT_TRUE(
        same_json(R"({"a":1,"b":[{"c":"é"}]})", "{ \"b\": [ {\"c\":\"\\u00e9\"} ], \"a\": 1 }"));
    EXPECT_FALSE(same_json("1", "1.0"));
    EXPECT_FALSE(same_json("[1,2]", "[2,1]"));
    EXPECT_FALSE(same_json("null", std::nullopt));
    EXPECT_EQ(described(kBase, kBase), Lines());
}

TEST(Versions, ChangesAreNamedByWhatTheyAreOf) {
    auto newer = replaced(kBase, R"("type": "money")", R"("type": "integer", "min": 0)");
    newer = replaced(newer, R"({"name": "order", "fields": []})", R"({"name": "a/b"})");
    EXPECT_EQ(described(kBase, newer),
              (Lines{R"(changed /entities/product/fields/price/type "money" "integer")",
                     "added /entities/product/fields/price/min", "added /entities/a~1b",
                     "removed /entities/order"}));
    EXPECT_EQ(described(R"({"a":[{"id":"x"},{"id":"y"}]})", R"({"a":[{"id":"y"},{"id":"x"}]})"),
              Lines{"changed /a"});
    EXPECT_EQ(described(R"({"v":["a"]})", R"({"v":["a","b"]})"),
              Lines{R"(changed /v ["a"] ["a","b"])"});
}

TEST(Versions, WhatDoesNotOverlapIsMergedInTheLayoutOfMine) {
    const auto mine = replaced(kBase, R"("name": "Shop")", R"("name":   "Corner Shop")");
    auto theirs =
        replaced(kBase, R"({"name": "price", "type": "money"})",
                 R"({"name": "price", "type": "money"}, {"name": "sku", "type": "string"})");
    theirs = replaced(theirs, R"(,
    {"name": "order", "fields": []})",
                      "");
    theirs = replaced(theirs, R"("title": "Tea"})",
                      R"("title": "Tea"}, {"_key": "oil", "title": "Oil"})");
    const auto merged = merge_contracts(kBase, mine, theirs, Side::mine);
    EXPECT_TRUE(merged.conflicts.empty());
    EXPECT_EQ(merged.text, R"({
  "app": {"name":   "Corner Shop"},
  "entities": [
    {"name": "product", "fields": [
      {"name": "title", "type": "string"},
      {"name": "price", "type": "money"}, {"name": "sku", "type": "string"}]}],
  "seeds": {"product": [{"_key": "tea", "title": "Tea"}, {"_key": "oil", "title": "Oil"}]}
})");
}

TEST(Versions, WhatOverlapsConflicts) {
    const auto mine = replaced(kBase, R"("type": "money")", R"("type": "integer")");
    const auto theirs = replaced(kBase, R"("type": "money")", R"("type": "decimal")");
    const auto merged = merge_contracts(kBase, mine, theirs, Side::theirs);
    ASSERT_EQ(merged.conflicts.size(), 1u);
    EXPECT_EQ(merged.conflicts[0].path, "/entities/product/fields/price/type");
    EXPECT_EQ(merged.conflicts[0].base, R"("money")");
    EXPECT_EQ(merged.conflicts[0].mine, R"("integer")");
    EXPECT_EQ(merged.conflicts[0].theirs, R"("decimal")");
    EXPECT_EQ(merged.text, theirs);
    EXPECT_EQ(merge_contracts(kBase, mine, theirs, Side::mine).text, mine);
}

TEST(Versions, RemovedHereAndChangedThereConflicts) {
    const auto mine = replaced(kBase, R"(,
    {"name": "order", "fields": []})",
                               "");
    const auto theirs = replaced(kBase, R"("fields": []})", R"("fields": [], "label": "Order"})");
    const auto merged = merge_contracts(kBase, mine, theirs, Side::mine);
    ASSERT_EQ(merged.conflicts.size(), 1u);
    EXPECT_EQ(merged.conflicts[0].mine, "");
    EXPECT_EQ(merged.text, mine);
    EXPECT_TRUE(same_json(merge_contracts(kBase, mine, theirs, Side::theirs).text, theirs));
}

TEST(Versions, SeedsThatAreLeftAreTheirs) {
    const auto mine =
        replaced(kBase, R"({"product": [{"_key": "tea", "title": "Tea"}]})", R"("UNCHANGED")");
    const auto theirs = replaced(kBase, R"("title": "Tea"})", R"("title": "Green tea"})");
    EXPECT_TRUE(same_json(merge_contracts(kBase, mine, theirs, Side::mine).text, theirs));
}

}  // namespace
}  // namespace svc::devapi::versions
