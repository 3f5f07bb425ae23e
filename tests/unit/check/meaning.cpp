// Changes of meaning under a condition whose text stays, and of the callers of queries and
// functions.
#include <gtest/gtest.h>

#include "check/exposure/exposure_diff.hpp"
#include "pipeline.hpp"

namespace {

std::string contract(const std::string& doc_fields, const std::string& relations,
                     const std::string& condition, const std::string& more = "") {
    return R"json({"app": {"name": "D"},
      "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "entities": [
        {"name": "team", "owner": "none", "access": {"read": "clerk"}, "fields": [{"name": "vip", "type": "boolean"}]},
        {"name": "club", "owner": "none", "access": {"read": "clerk"}, "fields": [{"name": "vip", "type": "boolean"}]},
        {"name": "part", "owner": "none", "access": {"read": "clerk"}, "fields": [
          {"name": "doc_id", "type": "ref", "to": "doc"}, {"name": "other_id", "type": "ref", "to": "doc"}]},
        {"name": "doc", "owner": "none", "relations": {)json" +
           relations + R"json(}, "fields": [{"name": "n", "type": "integer"})json" + doc_fields +
           R"json(], "access": {"read": [{"to": "client", "if": ")json" + condition +
           R"json("}, "clerk"]}}])json" + more + "}";
}

std::vector<std::string> described(const std::string& before, const std::string& after) {
    const auto was = svc::pipeline::check(before);
    const auto is = svc::pipeline::check(after);
    EXPECT_TRUE(was.plan);
    EXPECT_TRUE(is.plan);
    return svc::check::sentences(svc::check::compare(was.exposure, is.exposure));
}

using Lines = std::vector<std::string>;

TEST(Meaning, OfAFormula) {
    const auto with = [](const std::string& formula) {
        return contract(R"(, {"name": "ok", "type": "boolean", "computed": ")" + formula + R"("})",
                        "", "ok");
    };
    EXPECT_EQ(described(with("n > 1"), with("n > 0")),
              Lines{"changed: client may now read rows of doc where ok, with doc.ok = n > 0 "
                    "(before: rows where ok, with doc.ok = n > 1)."});
    EXPECT_EQ(described(with("n > 1"), with("n  >  1")), Lines{});
}

TEST(Meaning, OfARef) {
    const auto with = [](const std::string& target) {
        return contract(R"(, {"name": "group_id", "type": "ref", "to": ")" + target + R"("})", "",
                        "group.vip");
    };
    EXPECT_EQ(described(with("team"), with("club")),
              Lines{"changed: client may now read rows of doc where group.vip, with doc.group_id = "
                    "a row of club (before: rows where group.vip, with doc.group_id = a row of "
                    "team)."});
}

TEST(Meaning, OfARelation) {
    const auto with = [](const std::string& by) {
        return contract("", R"("parts": {"many": "part", "by": ")" + by + R"("})", "exists(parts)");
    };
    ASSERT_EQ(described(with("doc_id"), with("other_id")).size(), 1U);
    EXPECT_NE(described(with("doc_id"), with("other_id"))[0].find("the rows of part by other_id"),
              std::string::npos);
}

TEST(Meaning, OfWhoMayRunAQuery) {
    const auto with = [](const std::string& allow) {
        return contract("", "", "n == 1",
                        R"(, "queries": [{"name": "all", "allow": [")" + allow +
                            R"("], "sql": "select n from doc"}])");
    };
    EXPECT_EQ(described(with("clerk"), with("signed_in")),
              Lines{"widened: client may now run the query all."});
    EXPECT_EQ(described(with("clerk"), with("workflow")),
              Lines{"narrowed: clerk may no longer run the query all."});
    EXPECT_EQ(described(contract("", "", "n == 1"), with("clerk")),
              Lines{"widened: clerk may now run the query all."});
}

TEST(Meaning, OfAQuery) {
    const auto with = [](const std::string& allow, const std::string& sql) {
        return contract("", "", "n == 1",
                        R"(, "queries": [{"name": "all", "allow": [")" + allow + R"("], "sql": ")" +
                            sql + R"("}])");
    };
    const std::string few = "select n from doc where n = 1", all = "select n from doc";
    EXPECT_EQ(described(with("signed_in", few), with("signed_in", all)),
              Lines{"changed: client and clerk may run the query all, whose SQL has changed."});
    EXPECT_EQ(described(with("signed_in", few), with("signed_in", few)), Lines{});
    EXPECT_EQ(described(with("workflow", few), with("workflow", all)),
              Lines{"changed: workflow may run the query all, whose SQL has changed."});
    EXPECT_EQ(described(with("clerk", few), with("signed_in", all)),
              (Lines{"widened: client may now run the query all.",
                     "changed: clerk may run the query all, whose SQL has changed."}));
}

}  // namespace
