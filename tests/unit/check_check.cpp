#include <gtest/gtest.h>

#include "check/check.hpp"
#include "model_contract.hpp"

namespace {

using svc::testing::codes;
using svc::testing::resolved;
using Codes = std::vector<std::string>;

// personas c (consumer), s and t (staff, t extends s); one entity of these members.
Codes warnings(const std::string& members) {
    return codes(svc::check::check(resolved(
        R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}, {"id": "s", "kind": "staff"},
            {"id": "t", "kind": "staff", "extends": ["s"]}], "entities": [{"name": "e", "fields": [], )" +
        members + "}]}")));
}

std::string with_lifecycle(const std::string& by) {
    return R"("access": {"read": ["c", "s"]}, "lifecycle": {"field": "state", "initial": "a", "states": ["a", "b"],
        "transitions": [{"name": "go", "from": "a", "to": "b", "by": )" +
           by + "}]}";
}

TEST(Check, IsSilentAboutSoundModels) {
    EXPECT_TRUE(codes(svc::check::check(resolved(svc::testing::kShop))).empty());
    EXPECT_TRUE(warnings(R"("access": {"read": "*"})").empty());
    EXPECT_TRUE(warnings(with_lifecycle(R"(["t"])")).empty());
    EXPECT_TRUE(warnings(with_lifecycle(R"("signed_in")")).empty());
}

TEST(Check, PersonasThatSeeNothing) {
    EXPECT_EQ(warnings(R"("access": {"read": ["s"]})"), Codes{"PERSONA_SEES_NOTHING"});
    EXPECT_EQ(warnings(R"("access": {"read": ["guest"]})"), Codes(3, "PERSONA_SEES_NOTHING"));
    EXPECT_EQ(warnings(R"("access": {"read": ["t", "consumer"]})"), Codes{"PERSONA_SEES_NOTHING"});
}

TEST(Check, TransitionsForNobody) {
    EXPECT_EQ(warnings(with_lifecycle("[]")), Codes{"TRANSITION_FOR_NOBODY"});
    EXPECT_EQ(warnings(with_lifecycle(R"(["guest"])")), Codes{"TRANSITION_FOR_NOBODY"});
}

// One entity with these fields and members, for guests too.
Codes of(const std::string& access, const std::string& fields = R"({"name": "a", "type": "string"},
         {"name": "n", "type": "integer"}, {"name": "done", "type": "boolean"})") {
    return codes(svc::check::check(resolved(
        R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}, {"id": "s", "kind": "staff"},
            {"id": "t", "kind": "staff", "extends": ["s"]}], "entities": [{"name": "e", "owner": "none", "fields": [)" +
        fields + R"(], "access": )" + access + "}]}")));
}

TEST(Check, GrantsThatAddNothing) {
    EXPECT_EQ(of(R"({"read": ["*", "s"]})"), Codes{"GRANT_ADDS_NOTHING"});
    EXPECT_EQ(of(R"({"read": [{"to": "*", "if": "n > 3"}, {"to": "c", "if": "n > 5"}]})"),
              Codes{"GRANT_ADDS_NOTHING"});
    EXPECT_TRUE(of(R"({"read": [{"to": "*", "if": "done"}, "s"]})").empty());
    EXPECT_TRUE(of(R"({"read": "*", "update": [{"to": "s", "fields": ["a"]}, "t"]})").empty());
}

TEST(Check, ConditionsThatDecideNothing) {
    EXPECT_EQ(of(R"({"read": ["c", "s", {"to": "guest", "if": "user.persona == 'c'"}]})"),
              Codes{"CONDITION_NEVER_TRUE"});
    EXPECT_EQ(of(R"({"read": ["c", "s"], "update": {"to": "t", "if": "user.persona == 't'"}})"),
              Codes{"CONDITION_ALWAYS_TRUE"});
    EXPECT_TRUE(of(R"({"read": ["c", {"to": "s", "if": "user.persona == 't' || done"}]})").empty());
}

TEST(Check, WritesToWhatIsNotRead) {
    EXPECT_EQ(
        of(R"({"read": ["c", {"to": "s", "if": "done"}], "delete": {"to": "s", "if": "!done"}})"),
        Codes{"WRITE_WITHOUT_READ"});
    EXPECT_TRUE(
        of(R"({"read": ["c", {"to": "s", "if": "done"}], "delete": {"to": "s", "if": "n > 3"}})")
            .empty());
    EXPECT_EQ(of(R"({"read": ["c", "s"], "deny": {"delete": "s"}})"), Codes{"DENY_NEVER_APPLIES"});
    EXPECT_TRUE(of(R"({"read": "*", "deny": {"read": {"to": "c", "if": "done"}}})").empty());
}

TEST(Check, RowsThatAreLookedUpByAnything) {
    const char* const kMine =
        R"({"read": ["s", {"to": "c", "if": "who == user.email"}], "create": {"to": "c", "if": "who == user.email"}})";
    EXPECT_EQ(of(kMine, R"({"name": "who", "type": "email"})"), Codes{"POLICY_WITHOUT_INDEX"});
    EXPECT_TRUE(of(kMine, R"({"name": "who", "type": "email", "index": true})").empty());
    EXPECT_TRUE(
        of(R"({"read": "*"})", R"({"name": "who", "type": "email", "read": ["s"]})").empty());
}

TEST(Check, FieldsThatSayWhoseTheRowIs) {
    const char* const kFrom = R"({"name": "from", "type": "user"}, {"name": "to", "type": "user"})";
    const std::string read =
        R"({"read": ["s", {"to": "c", "if": "from == user.id || to == user.id"}], "create": )";
    EXPECT_EQ(of(read + R"("c"})", kFrom), Codes{"FIELD_TRUSTED"});
    EXPECT_TRUE(of(read + R"({"to": "c", "if": "from == user.id"}})", kFrom).empty());
    EXPECT_TRUE(of(read + R"("s"})", kFrom).empty());
}

}  // namespace
