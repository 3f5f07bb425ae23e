// The columns that identify the readers of a row.
#include "plan/planner.hpp"
#include "unit/model/contract.hpp"

namespace svc::plan {
namespace {

using tests::resolved;

// The plan of a box with these read grants and denials.
Plan plan_of(const std::string& access) {
    const std::string contract = R"json({
      "app": {"name": "Shop"},
      "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "entities": [
        {"name": "shelf", "owner": "none", "fields": [{"name": "keeper", "type": "user"}], "access": {"read": "*"}},
        {"name": "box", "owner": "user",
         "fields": [{"name": "helper", "type": "email"}, {"name": "other", "type": "user"}, {"name": "extra", "type": "json"},
                    {"name": "due", "type": "datetime"}, {"name": "shelf_id", "type": "ref", "to": "shelf"}],
         "access": )json" + access +
                                 "}]}";
    return *make_plan(resolved(contract), "hash").plan;
}

std::string names(const Plan& plan, std::uint64_t bits) {
    if (bits == ~0ULL) return "*";
    std::string out;
    for (std::size_t i = 0; i < plan.principal_names.size(); ++i)
        if ((bits >> i & 1) != 0) out += (out.empty() ? "" : "|") + plan.principal_names[i];
    return out;
}

// "customer user_id id; varies clerk"
std::string keys_of_access(const std::string& access) {
    const Plan plan = plan_of(access);
    const ReadDecision& read = plan.entities.at(1).read_decision;
    std::string out;
    for (const ReadKey& key : read.keys)
        out +=
            names(plan, key.who) + ' ' + key.column + ' ' + std::string(base::word(key.of)) + "; ";
    return out + "varies " + names(plan, read.varies);
}

std::string asks(const std::string& access) {
    const Plan plan = plan_of(access);
    return names(plan, plan.entities.at(1).read_decision.asks);
}

std::string customers(const std::string& condition) {
    return keys_of_access(R"({"read": [{"to": "customer", "if": ")" + condition + R"("}]})");
}

TEST(PlanReadKeys, an_equality_with_what_the_caller_is_that_must_hold) {
    EXPECT_EQ(customers("user_id == user.id"), "to::customer user_id id; varies ");
    EXPECT_EQ(customers("user.email == helper"), "to::customer helper email; varies ");
    EXPECT_EQ(customers("due < now() && user_id == user.id && user.isAdmin"),
              "to::customer user_id id; varies ");
    EXPECT_EQ(customers("user_id == user.id || (other == user.id && due == null)"),
              "to::customer user_id id; to::customer other id; varies ");
    EXPECT_EQ(customers("user.id in [user_id, other]"),
              "to::customer user_id id; to::customer other id; varies ");
    EXPECT_EQ(customers("helper in [user.email]"), "to::customer helper email; varies ");
    EXPECT_EQ(customers("(user_id == user.id || other == user.id) && helper == user.email"),
              "to::customer helper email; varies ");
}

TEST(PlanReadKeys, what_may_hold_without_it_is_asked_of_each) {
    for (const char* condition :
         {"user_id != user.id", "!(user_id == user.id)", "user_id == user.id || user.isAdmin",
          "user_id == user.id || due == null", "!(user.id in [user_id])",
          "user.email in [helper, 'ann@example.test']", "user.id == null"})
        EXPECT_EQ(customers(condition), "varies to::customer") << condition;
}

TEST(PlanReadKeys, what_looks_at_no_caller_is_said_to_all_alike) {
    for (const char* condition : {"due == null", "due < now()", "shelf_id.keeper == user.id"})
        EXPECT_EQ(customers(condition), "varies ") << condition;
}

TEST(PlanReadKeys, of_what_the_database_decides_the_part_that_cpp_knows) {
    EXPECT_EQ(customers("other == user.id && shelf_id.keeper != null"),
              "to::customer other id; varies ");
    EXPECT_EQ(customers("other == user.id || shelf_id.keeper != null"), "varies ");
}

TEST(PlanReadKeys, each_grant_and_denial_counts) {
    EXPECT_EQ(keys_of_access(R"({"read": [{"to": "customer", "if": "user_id == user.id"},
                                          {"to": "clerk", "if": "user_id == user.id"}, {"to": "clerk", "if": "other != user.id"}],
                                 "deny": {"read": [{"to": "*", "if": "helper == user.email"}]}})"),
              "* helper email; to::customer|to::clerk user_id id; varies to::clerk");
}

TEST(PlanReadKeys, whom_the_database_may_have_to_be_asked_about) {
    EXPECT_EQ(asks(R"({"read": "customer"})"), "");
    EXPECT_EQ(
        asks(R"({"read": [{"to": "customer", "if": "shelf_id.keeper == user.id"}, "clerk"]})"),
        "to::customer");
    EXPECT_EQ(
        asks(
            R"({"read": "customer", "deny": {"read": [{"to": "clerk", "if": "shelf_id.keeper == null"}]}})"),
        "to::clerk");
    EXPECT_EQ(asks(R"({"read": [{"to": "*", "if": "shelf_id.keeper == user.id"}]})"), "*");
}

}  // namespace
}  // namespace svc::plan
