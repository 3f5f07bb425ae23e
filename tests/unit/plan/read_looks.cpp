// Whom a change of a row concerns that a policy of another table looks at.
#include <algorithm>

#include "plan/planner.hpp"
#include "unit/model/contract.hpp"

namespace svc::plan {
namespace {

using tests::resolved;

// The plan of cards with this access, of boards of teams that have seats.
Plan plan_of(const std::string& access, const std::string& of_boards) {
    const std::string contract = R"json({
      "app": {"name": "Boards"},
      "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "orgs": {"enabled": true, "roles": ["owner", "admin", "member"]},
      "entities": [
        {"name": "team", "owner": "none", "fields": [{"name": "keeper", "type": "user"}, {"name": "open", "type": "boolean"}],
         "relations": {"seats": {"many": "seat", "by": "team_id"}}, "access": {"read": "*"}},
        {"name": "seat", "owner": "none",
         "fields": [{"name": "team_id", "type": "ref", "to": "team"}, {"name": "person", "type": "user"}, {"name": "note", "type": "string"}],
         "access": {"read": "*"}},
        {"name": "board", "owner": "user+org",
         "fields": [{"name": "team_id", "type": "ref", "to": "team"}, {"name": "mail", "type": "email"}, {"name": "title", "type": "string"},
                    {"name": "locked", "type": "boolean"}],
         "access": )json" + of_boards +
                                 R"json(},
        {"name": "card", "owner": "user",
         "fields": [{"name": "board_id", "type": "ref", "to": "board", "required": true, "onDelete": "cascade"},
                    {"name": "level", "type": "integer"}],
         "relations": {"marks": {"many": "mark", "by": "card_id"}}, "access": )json" +
                                 access + R"json(},
        {"name": "mark", "owner": "none", "fields": [{"name": "card_id", "type": "ref", "to": "card"}], "access": {"read": "*"}}]})json";
    return *make_plan(resolved(contract), "hash").plan;
}

std::string who(const Plan& plan, std::uint64_t bits) {
    if (bits == kEveryone) return "";
    std::string out;
    for (std::size_t i = 0; i < plan.principal_names.size(); ++i)
        if ((bits >> i & 1) != 0) out += (out.empty() ? " for " : "|") + plan.principal_names[i];
    return out;
}

// "seat team_id,person made by person=id for to::customer; …"; "above board; …"
std::string looks_of_access(const std::string& access, const std::string& of_boards) {
    const Plan plan = plan_of(access, of_boards);
    std::string out;
    for (const ServedLook& look : plan.entities.at(3).looks) {
        const auto target = std::ranges::find_if(plan.entities, [&](const ServedEntity& entity) {
            return entity.cpp_value == look.target;
        });
        const auto name = [&](std::size_t column) { return target->columns.at(column).name; };
        out += out.empty() ? "" : "; ";
        if (look.column) {
            out += "above " + look.target;
            continue;
        }
        out += look.target;
        std::string columns;
        for (const std::size_t column : look.columns)
            columns += (columns.empty() ? " " : ",") + name(column);
        out += columns + (look.made ? " made" : "");
        if (look.key)
            out += " by " + name(look.key->first) + "=" + std::string(base::word(look.key->second));
        out += who(plan, look.who);
    }
    return out;
}

std::string customers_look(const std::string& condition,
                           const std::string& of_boards = R"({"read": "*"})") {
    return looks_of_access(R"({"read": [{"to": "customer", "if": ")" + condition + R"("}]})",
                           of_boards);
}
constexpr const char* kFor = " for to::customer";

TEST(PlanReadLooks, a_column_that_is_compared_with_the_caller_says_whom) {
    EXPECT_EQ(customers_look("board.user_id == user.id"),
              std::string("board user_id by user_id=id") + kFor);
    EXPECT_EQ(customers_look("board.org_id != user.org"),
              std::string("board org_id by org_id=org") + kFor);
    EXPECT_EQ(customers_look("user.email in [board.mail]"),
              std::string("board mail by mail=email") + kFor);
    EXPECT_EQ(customers_look("member(board.org_id, 'admin')"),
              std::string("board org_id by org_id=org") + kFor);
    EXPECT_EQ(customers_look("!(level > 1 || board.user_id == user.id)"),
              std::string("board user_id by user_id=id") + kFor);
}

TEST(PlanReadLooks, a_membership_concerns_its_person_and_no_row_between) {
    EXPECT_EQ(
        customers_look("user.id in board.team.seats.person"),
        std::string("board team_id") + kFor + "; seat team_id,person made by person=id" + kFor);
}

TEST(PlanReadLooks, what_is_joined_by_and_on_the_same_row_concerns_the_same) {
    EXPECT_EQ(customers_look("board.user_id == user.id && (board.locked || level > 1)"),
              std::string("board user_id,locked by user_id=id") + kFor);
    EXPECT_EQ(customers_look("board.user_id == user.id || board.locked"),
              std::string("board user_id by user_id=id") + kFor + "; board locked" + kFor);
    EXPECT_EQ(customers_look("user_id == user.id && board.locked"),
              std::string("board locked") + kFor);
    EXPECT_EQ(customers_look("board.team.keeper == user.id && board.locked"),
              std::string("board team_id,locked") + kFor + "; team keeper by keeper=id" + kFor);
}

TEST(PlanReadLooks, else_it_may_concern_anybody) {
    EXPECT_EQ(customers_look("board.title == 'open'"), std::string("board title") + kFor);
    EXPECT_EQ(customers_look("lower(board.mail) == user.email"), std::string("board mail") + kFor);
    EXPECT_EQ(customers_look("exists(marks)"), std::string("mark id,card_id made") + kFor);
    EXPECT_EQ(customers_look("board.user_id in [user.id, user_id]"),
              std::string("board user_id") + kFor);
}

TEST(PlanReadLooks, can_looks_as_the_other_policy_does_and_needs_the_row) {
    EXPECT_EQ(
        customers_look(
            "can('read', board_id)",
            R"({"read": [{"to": "customer", "if": "user_id == user.id && locked == false"}, "clerk"]})"),
        std::string("board id,user_id,locked by user_id=id") + kFor + "; board id" + kFor);
    EXPECT_EQ(customers_look("can('update', board_id)",
                             R"({"read": [{"to": "*", "if": "user_id == user.id"}],
                                                      "update": [{"to": "*", "if": "team.keeper == user.id"}]})"),
              std::string("board id,user_id by user_id=id") + kFor + "; board id,team_id" + kFor +
                  "; team keeper by keeper=id" + kFor);
}

TEST(PlanReadLooks, what_is_negated_concerns_the_same) {
    EXPECT_EQ(customers_look("!(board.user_id == user.id && board.locked)"),
              std::string("board user_id,locked by user_id=id") + kFor);
    EXPECT_EQ(customers_look("!(board.user_id == user.id) && board.locked"),
              std::string("board user_id by user_id=id") + kFor + "; board locked" + kFor);
}

TEST(PlanReadLooks, one_of_several_rows_may_be_the_callers) {
    EXPECT_EQ(customers_look("user.id in [board.user_id, board.team.keeper]"),
              std::string("board user_id by user_id=id") + kFor + "; board team_id" + kFor +
                  "; team keeper by keeper=id" + kFor);
}

TEST(PlanReadLooks, a_denial_looks_for_those_whom_it_denies) {
    EXPECT_EQ(looks_of_access(
                  R"({"read": "*", "deny": {"read": [{"to": "clerk", "if": "board.locked"}]}})",
                  R"({"read": "*"})"),
              "board locked for to::clerk");
}

TEST(PlanReadLooks, a_row_above_is_judged_itself) {
    EXPECT_EQ(
        looks_of_access(R"({"same_as": "board_id"})",
                        R"({"read": [{"to": "*", "if": "user_id == user.id && team.open"}]})"),
        "above board; team open");
    EXPECT_EQ(looks_of_access(R"({"same_as": "board_id"})", R"({"read": "*"})"), "above board");
}

}  // namespace
}  // namespace svc::plan
