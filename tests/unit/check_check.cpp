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

}  // namespace
