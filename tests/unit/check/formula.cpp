#include <gtest/gtest.h>

#include "check/formula/condition.hpp"
#include "model/expr/typing.hpp"
#include "unit/model/contract.hpp"

namespace {

using svc::check::Formula;
using svc::check::implies;
using svc::check::KnownUser;

// A condition on orders of the shop.
Formula read(const std::string& text, const KnownUser* user = nullptr) {
    static const svc::model::Model kModel = svc::tests::resolved(svc::tests::kShop);
    svc::diag::Findings findings;
    const svc::model::ExprScope scope{.model = kModel, .entity = 1};
    const auto expr = svc::model::read_condition({text, ""}, scope, findings);
    EXPECT_TRUE(expr) << text << (findings.all().empty() ? "" : findings.all()[0].message);
    return svc::check::condition(kModel, expr, user);
}

std::string shown(const std::string& text, const KnownUser* user = nullptr) {
    return svc::check::text(svc::check::simplified(read(text, user)));
}

bool follows(const std::string& one, const std::string& other) {
    return implies(read(one), read(other)) == true;
}

TEST(Formula, IsShownInOneForm) {
    EXPECT_EQ(shown("  ( user.id==user_id )"), "user_id == user.id");
    EXPECT_EQ(shown("!(note == 'a') && note != 'b'"), "!(note in ['a', 'b'])");
    EXPECT_EQ(shown("status == 'draft' || 'placed' == status"), "status in ['draft', 'placed']");
    EXPECT_EQ(shown("exists(lines) && !(exists(due))"), "exists(lines) && due == null");
    EXPECT_EQ(shown("note == 'it\\'s'"), "note == 'it\\'s'");
}

TEST(Formula, LeavesOutWhatFollows) {
    EXPECT_EQ(shown("note == 'a' && (note == 'a' || due == null)"), "note == 'a'");
    EXPECT_EQ(shown("note == 'a' && note == 'b'"), "false");
    EXPECT_EQ(shown("note == 'a' || note != 'a'"), "true");
    EXPECT_EQ(shown("note == null && note == 'a'"), "false");
    EXPECT_EQ(shown("count(lines) > 3 && count(lines) > 5"), "count(lines) > 5");
}

TEST(Formula, KnowsTheCaller) {
    const KnownUser guest{false, false, {}};
    const KnownUser clerk{true, false, "clerk"};
    EXPECT_EQ(shown("user_id == user.id", &guest), "false");
    EXPECT_EQ(shown("user.id == null || due == null", &guest), "true");
    EXPECT_EQ(shown("user.persona == 'clerk' && due == null", &clerk), "due == null");
    EXPECT_EQ(shown("user.persona in ['customer', 'manager']", &clerk), "false");
    EXPECT_EQ(shown("user.isAdmin", &clerk), "user.isAdmin");
}

// Null makes neither comparison true, so they are not opposites.
TEST(Formula, FollowsOnlyWhereItIsSo) {
    EXPECT_TRUE(follows("count(lines) == 4", "count(lines) >= 4"));
    EXPECT_TRUE(follows("count(lines) < 4", "count(lines) <= 4"));
    EXPECT_FALSE(follows("count(lines) <= 4", "count(lines) < 4"));
    EXPECT_FALSE(follows("!(count(lines) < 4)", "count(lines) >= 4"));
    EXPECT_FALSE(follows("due == null", "note == null"));
    EXPECT_FALSE(follows("note < 'b'", "note < 'c'")) << "the order of texts is the database's";
    EXPECT_TRUE(follows("note == 'a' && exists(lines)", "exists(lines) || due == null"));
}

TEST(Formula, LeavesTooManyTestsOpen) {
    std::string text = "note == 'a0'";
    for (int i = 1; i < 13; ++i) text += " || note == 'a" + std::to_string(i) + "'";
    EXPECT_FALSE(implies(read(text), read("due == null")).has_value());
    EXPECT_EQ(shown(text).substr(0, 16), "note in ['a0', '");
}

}  // namespace
