#include <gtest/gtest.h>

#include <string>

#include "model/expr/typing.hpp"
#include "unit/model/contract.hpp"

namespace {

using namespace svc::model;
using svc::tests::kShop;
using svc::tests::resolved;

constexpr std::size_t kProduct = 0, kOrder = 1, kLine = 2;

class ExprTyping : public ::testing::Test {
  protected:
    ExprPtr read(const std::string& text, std::size_t entity, bool rule = false) {
        const ExprScope scope{
            .model = model_, .entity = entity, .row = !rule, .has_new = rule, .has_old = rule};
        findings_ = {};
        return read_expression({text, "/x"}, scope, findings_);
    }
    // The type, or the code of the finding.
    std::string type(const std::string& text, std::size_t entity = kOrder) {
        const ExprPtr expr = read(text, entity);
        return expr ? in_words(expr->type) : findings_.all().at(0).code;
    }

    Model model_ = resolved(kShop);
    svc::diag::Findings findings_;
};

TEST_F(ExprTyping, TypesFieldsOfTheRowAndTheCaller) {
    EXPECT_EQ(type("note"), "a string");
    EXPECT_EQ(type("status"), "a string");
    EXPECT_EQ(type("due"), "a date");
    EXPECT_EQ(type("placed_at"), "a datetime");
    EXPECT_EQ(type("id"), "an id");
    EXPECT_EQ(type("user_id"), "an id");
    EXPECT_EQ(type("user_id", kProduct), "UNKNOWN_FIELD");
    EXPECT_EQ(type("weight", kProduct), "a number");
    EXPECT_EQ(type("user.email"), "a string");
    EXPECT_EQ(type("user.isAdmin"), "a boolean");
    EXPECT_EQ(type("user.isadmin"), "UNKNOWN_FIELD");
}

TEST_F(ExprTyping, FollowsRefsUpToABound) {
    const ExprPtr title = read("product.title", kLine);
    ASSERT_TRUE(title);
    ASSERT_EQ(title->steps.size(), 2U);
    EXPECT_EQ(title->steps[0].kind, Step::Kind::ref);
    EXPECT_EQ(title->steps[0].entity, kLine);
    EXPECT_EQ(title->steps[0].field, 1U);
    EXPECT_EQ(title->steps[0].target, kProduct);
    EXPECT_EQ(title->steps[1].kind, Step::Kind::field);
    EXPECT_EQ(title->steps[1].entity, kProduct);
    EXPECT_EQ(type("parent.parent.parent.title", kProduct), "a string");
    EXPECT_EQ(type("parent.parent.parent.parent.title", kProduct), "PATH_TOO_LONG");
    EXPECT_EQ(type("parent", kProduct), "an id");
    EXPECT_EQ(type("product.id", kLine), "an id");
    EXPECT_EQ(type("product", kLine), "UNKNOWN_FIELD");
    EXPECT_EQ(type("order.user_id == user.id", kLine), "a boolean");
}

TEST_F(ExprTyping, TypesRowsThatReferToTheRow) {
    const ExprPtr rows = read("exists(lines)", kOrder);
    ASSERT_TRUE(rows);
    const Step& step = rows->args[0]->steps.at(0);
    EXPECT_EQ(step.kind, Step::Kind::many);
    EXPECT_EQ(step.entity, kOrder);
    EXPECT_EQ(step.target, kLine);
    EXPECT_EQ(step.field, 0U);
    EXPECT_EQ(type("count(lines)"), "a whole number");
    EXPECT_EQ(type("sum(lines.quantity) > 3"), "a boolean");
    EXPECT_EQ(type("sum(lines.product.weight)"), "a number");
    EXPECT_EQ(type("max(lines.quantity)"), "a whole number");
    EXPECT_EQ(type("all(lines.product.active)"), "a boolean");
    EXPECT_EQ(type("all(lines.quantity)"), "TYPE_MISMATCH");
    EXPECT_EQ(type("user.id in lines.product_id"), "a boolean");
    EXPECT_EQ(type("note in lines.product_id"), "TYPE_MISMATCH");
    EXPECT_EQ(type("lines"), "BAD_OPERAND");
    EXPECT_EQ(type("count(note)"), "BAD_OPERAND");
    EXPECT_EQ(type("exists(note)"), "a boolean");
}

TEST_F(ExprTyping, ComparesOnlyValuesOfOneType) {
    EXPECT_EQ(type("due < '2024-01-01'"), "a boolean");
    EXPECT_EQ(read("due < '2024-01-01'", kOrder)->args[1]->type, ExprType::date);
    EXPECT_EQ(type("'2024-01-01' > due"), "a boolean");
    EXPECT_EQ(type("due < now()"), "a boolean");
    EXPECT_EQ(type("due < 'soon'"), "TYPE_MISMATCH");
    EXPECT_EQ(type("note == 1"), "TYPE_MISMATCH");
    EXPECT_EQ(type("note == null"), "a boolean");
    EXPECT_EQ(type("null == null"), "a boolean");
    EXPECT_EQ(type("note < null"), "BAD_OPERAND");
    EXPECT_EQ(type("status == 'placed'"), "a boolean");
    EXPECT_EQ(type("status == 'lost'"), "UNKNOWN_VALUE");
    EXPECT_EQ(type("'lost' != status"), "UNKNOWN_VALUE");
    EXPECT_EQ(type("status in ['draft', 'lost']"), "UNKNOWN_VALUE");
    EXPECT_EQ(type("user.persona in ['clerk', 'manager']"), "a boolean");
    EXPECT_EQ(type("user_id == '00000000-0000-7000-8000-000000000000'"), "a boolean");
    EXPECT_EQ(type("user_id < user.id"), "BAD_OPERAND");
    EXPECT_EQ(type("'red' in labels", kProduct), "a boolean");
    EXPECT_EQ(type("labels == labels", kProduct), "BAD_OPERAND");
    EXPECT_EQ(type("extra != null", kProduct), "a boolean");
    EXPECT_EQ(type("extra == 'x'", kProduct), "TYPE_MISMATCH");
    EXPECT_EQ(type("weight > stock", kProduct), "a boolean");
}

TEST_F(ExprTyping, TypesSumsOfNumbersTextsAndTimes) {
    EXPECT_EQ(type("stock + 1", kProduct), "a whole number");
    EXPECT_EQ(type("stock * weight", kProduct), "a number");
    EXPECT_EQ(type("title + 'x'", kProduct), "a string");
    EXPECT_EQ(type("title + 1", kProduct), "TYPE_MISMATCH");
    EXPECT_EQ(type("due + duration('7d')"), "a date");
    EXPECT_EQ(type("due - duration('48h')"), "a date");
    EXPECT_EQ(type("-duration('7d') + today()"), "a date");
    EXPECT_EQ(type("due + duration('7h')"), "a datetime");
    EXPECT_EQ(type("due + (duration('1d') + duration('1d'))"), "a datetime");
    EXPECT_EQ(type("duration('7d') - due"), "TYPE_MISMATCH");
    EXPECT_EQ(type("now() - due > duration('7d')"), "a boolean");
    EXPECT_EQ(type("date(now())"), "a date");
    EXPECT_EQ(type("date(placed_at) + duration('21d') == today()"), "a boolean");
    EXPECT_EQ(type("date(due)"), "a date");
    EXPECT_EQ(type("date('2026-01-31T23:00:00Z')"), "a date");
    EXPECT_EQ(type("date('2026-01-31')"), "a date");
    EXPECT_EQ(type("date(note)"), "TYPE_MISMATCH");
    EXPECT_EQ(type("coalesce(due + duration('7d'), now())"), "a datetime");
    EXPECT_EQ(type("now() - placed_at > duration('2h')"), "a boolean");
    EXPECT_EQ(type("today() - due"), "a whole number");
    EXPECT_EQ(type("due + 7"), "TYPE_MISMATCH");
    EXPECT_EQ(type("-stock", kProduct), "a whole number");
    EXPECT_EQ(type("-title", kProduct), "TYPE_MISMATCH");
    EXPECT_EQ(type("9223372036854775808"), "BAD_EXPRESSION");
}

TEST_F(ExprTyping, TypesFunctionsByTheirArguments) {
    EXPECT_EQ(type("lower(note) == 'x'"), "a boolean");
    EXPECT_EQ(type("size(note) + size('x')"), "a whole number");
    EXPECT_EQ(type("size(labels)", kProduct), "a whole number");
    EXPECT_EQ(type("note.contains('x')"), "a boolean");
    EXPECT_EQ(type("matches(note, note)"), "BAD_OPERAND");
    EXPECT_EQ(type("matches(note, '^a')"), "a boolean");
    EXPECT_EQ(type("coalesce(note, 'none')"), "a string");
    EXPECT_EQ(type("coalesce(stock, 1.5)", kProduct), "a number");
    EXPECT_EQ(type("coalesce(note, 1)"), "TYPE_MISMATCH");
    EXPECT_EQ(type("min(stock, 3)", kProduct), "a whole number");
    EXPECT_EQ(type("round(weight, 2)", kProduct), "a number");
    EXPECT_EQ(type("abs(stock)", kProduct), "a whole number");
    EXPECT_EQ(type("changed(note)"), "ROW_NOT_HERE");
    EXPECT_EQ(type("member('x')"), "ORGS_OFF");
    EXPECT_EQ(type("can('fly', note)"), "BAD_OPERAND");
    EXPECT_EQ(type("can('read', note)"), "BAD_OPERAND");
}

TEST_F(ExprTyping, RulesNameTheOldOrTheNewRow) {
    EXPECT_TRUE(read("new.note != old.note", kOrder, true));
    EXPECT_TRUE(read("changed(note) && exists(new.lines)", kOrder, true));
    EXPECT_TRUE(read("changed(new.note)", kOrder, true));
    EXPECT_FALSE(read("note == null", kOrder, true));
    EXPECT_EQ(findings_.all()[0].code, "BARE_NAME");
    EXPECT_FALSE(read("nte == null", kOrder, true));
    EXPECT_EQ(findings_.all()[0].code, "UNKNOWN_FIELD");
}

TEST_F(ExprTyping, CollectsTheFindingsOfBothSides) {
    read("a == 1 && b == 2", kOrder);
    EXPECT_EQ(findings_.all().size(), 2U);
}

}  // namespace
