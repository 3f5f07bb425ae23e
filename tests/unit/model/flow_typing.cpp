// The results of steps and the names of templates: the types of steps.<id>, input, actor and loops.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "unit/model/contract.hpp"

namespace {

using namespace svc::model;
using svc::tests::codes;
using svc::tests::kShop;
using svc::tests::resolved;
using Codes = std::vector<std::string>;

// The shop with these keys more.
std::string shop_with(const std::string& keys) {
    std::string text = kShop;
    return text.substr(0, text.rfind('}')) + ", " + keys + "}";
}

std::string workflow(const std::string& steps,
                     const std::string& on = R"({"entity": "order", "event": "updated"})") {
    return shop_with(R"("workflows": [{"id": "w", "on": )" + on + R"(, "steps": [)" + steps +
                     "]}]");
}

// Findings that are errors.
Codes errors(const std::string& text) {
    const svc::contract::Parsed parsed = svc::contract::parse(text);
    if (!parsed.contract) return codes(parsed.findings);
    Codes out;
    const Resolved made = resolve(*parsed.contract);
    for (const auto* findings : {&parsed.findings, &made.findings}) {
        for (const svc::diag::Finding& finding : findings->all()) {
            if (finding.severity == svc::diag::Severity::error) out.push_back(finding.code);
        }
    }
    return out;
}

// A step that needs a boolean, so that a finding names the type of the expression.
Codes condition(const std::string& before, const std::string& expression) {
    return errors(workflow(before + (before.empty() ? "" : ", ") + R"({"id": "last", "if": ")" +
                           expression + R"(", "sleep": "1h"})"));
}

const std::string kMade =
    R"({"id": "made", "create": {"entity": "order_line", "data": {"order_id": "{new.id}", "quantity": 1}}})";

TEST(FlowTyping, TypesRowsThatStepsMade) {
    EXPECT_EQ(condition(kMade, "steps.made.quantity > 3"), Codes{});
    EXPECT_EQ(condition(kMade, "steps.made.product.stock > 3"), Codes{});
    EXPECT_EQ(condition(kMade, "steps.made.order.status == 'draft'"), Codes{});
    EXPECT_EQ(condition(kMade, "steps.made.quantity == 'x'"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(condition(kMade, "steps.made.order.status == 'lost'"), Codes{"UNKNOWN_VALUE"});
    EXPECT_EQ(condition(kMade, "steps.made.qty > 3"), Codes{"UNKNOWN_FIELD"});
    EXPECT_EQ(condition(kMade, "steps.make.quantity > 3"), Codes{"UNKNOWN_STEP"});
    EXPECT_EQ(condition(kMade, "steps.made"), Codes{"TYPE_MISMATCH"});
}

TEST(FlowTyping, JsonTakesTheTypeOfItsPlace) {
    const std::string call =
        R"({"id": "call", "http": {"method": "GET", "url": "https://example.test/"}})";
    EXPECT_EQ(condition(call, "steps.call.body.a.b > 3"), Codes{});
    EXPECT_EQ(condition(call, "steps.call.body.day < new.due"), Codes{});
    EXPECT_EQ(condition(call, "steps.call.body.ok && steps.call.status == 200"), Codes{});
    EXPECT_EQ(condition(call, "steps.call.body.x + 1 > 2"), Codes{});
    EXPECT_EQ(condition(call, "'a' in steps.call.body.list"), Codes{});
    EXPECT_EQ(condition(call, "steps.call.body.a == steps.call.body.b"), Codes{"BAD_OPERAND"});
    EXPECT_EQ(condition(call, "steps.call.status == 'ok'"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(condition(call, "steps.call.status.code == 1"), Codes{"BAD_PATH"});
    EXPECT_EQ(condition("", "new.lines.quantity > 3"), Codes{"BAD_OPERAND"});
    EXPECT_EQ(condition("", "max(new.lines.quantity) > 3"), Codes{});
    EXPECT_EQ(condition("", "changed(note)"), Codes{});
}

TEST(FlowTyping, TypesWhatALoopLeavesAsAList) {
    const std::string each =
        R"({"id": "each", "for": "new.lines", "as": "line", "update": {"entity": "order_line", "id": "{line.id}", "data": {"quantity": "{line.quantity + 1}"}}})";
    EXPECT_EQ(condition(each, "size(steps.each) > 1"), Codes{});
    EXPECT_EQ(condition(each, "steps.each.quantity > 1"), Codes{"BAD_PATH"});
    EXPECT_EQ(condition(each, "line.quantity > 1"), Codes{"UNKNOWN_NAME"});
    const std::string again =
        each + R"(, {"id": "again", "for": "steps.each", "as": "row", "if": )";
    EXPECT_EQ(errors(workflow(again + R"("row.quantity > 1", "sleep": "1h"})")), Codes{});
    EXPECT_EQ(errors(workflow(again + R"("row.qty > 1", "sleep": "1h"})")), Codes{"UNKNOWN_FIELD"});
}

TEST(FlowTyping, TypesValuesThatAStepSets) {
    const std::string set =
        R"({"id": "v", "set": {"n": 1, "mixed": [1, "a"], "texts": ["a", "{new.note}"], "in": {"day": "{new.due}"}}})";
    EXPECT_EQ(condition(set, "steps.v.n > 0 && steps.v.in.day < now()"), Codes{});
    EXPECT_EQ(condition(set, "steps.v.in.day > 3"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(condition(set, "steps.v.in.night == null"), Codes{"UNKNOWN_FIELD"});
    const auto loop = [&](const std::string& list, const std::string& test) {
        return errors(workflow(set + R"(, {"id": "l", "for": "steps.v.)" + list +
                               R"(", "as": "one", "if": ")" + test + R"(", "sleep": "1h"})"));
    };
    EXPECT_EQ(loop("texts", "one == 'a'"), Codes{});
    EXPECT_EQ(loop("texts", "one > 3"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(loop("mixed", "one > 3"), Codes{});
    EXPECT_EQ(loop("n", "one > 3"), Codes{"TYPE_MISMATCH"});
}

TEST(FlowTyping, ValuesThatHoldValuesDoNotGrowWithoutEnd) {
    std::string steps = R"({"id": "s0", "set": {"a": "{new.note}", "b": 1}})";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "steps.s" + std::to_string(i - 1);
        steps += R"(, {"id": "s)" + std::to_string(i) + R"(", "set": {"a": "{)" + before +
                 R"(}", "b": "{)" + before + R"(}"}})";
    }
    EXPECT_EQ(errors(workflow(steps)), Codes{});
}

TEST(FlowTyping, OnePlaceholderKeepsItsType) {
    const auto update = [](const std::string& field, const std::string& value) {
        return errors(
            workflow(R"({"id": "u", "update": {"entity": "order", "id": "{new.id}", "data": {")" +
                     field + R"(": ")" + value + R"("}}})"));
    };
    EXPECT_EQ(update("due", "{new.due}"), Codes{});
    EXPECT_EQ(update("due", "{new.note}"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(update("due", "on {new.due}"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(update("due", "2024-02-30"), Codes{"BAD_VALUE"});
    EXPECT_EQ(update("note", "on {new.due}"), Codes{});
    EXPECT_EQ(update("note", "{new.due}"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(update("status", "placed"), Codes{"FIELD_NOT_WRITABLE"});
}

TEST(FlowTyping, TypesInputsByTheirParameters) {
    const auto manual = [](const std::string& params, const std::string& value) {
        return errors(shop_with(R"("workflows": [{"id": "w", "on": {"manual": true}, )" + params +
                                R"("steps": [{"id": "s", "set": {"x": ")" + value + R"("}}]}])"));
    };
    EXPECT_EQ(manual("", "{input.any.thing}"), Codes{});
    EXPECT_EQ(manual(R"("params": {"n": {"type": "integer"}}, )", "{input.n + 1}"), Codes{});
    EXPECT_EQ(manual(R"("params": {"n": {"type": "text"}}, )", "{input.n + 1}"),
              Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(manual(R"("params": {"n": {"type": "text"}}, )", "{input.m}"),
              Codes{"UNKNOWN_PARAM"});
    EXPECT_EQ(manual("", "{new.id}"), Codes{"ROW_NOT_HERE"});
    EXPECT_EQ(manual("", "{actor.isAdmin}"), Codes{});
}

TEST(FlowTyping, ResultsOfFunctionsAreKnownWhateverTheOrder) {
    const auto calling = [](const std::string& value) {
        return errors(shop_with(
            R"("functions": [
                {"name": "outer", "allow": "clerk", "steps": [{"id": "go", "call": {"function": "inner"}}], "returns": ")" +
            value + R"("},
                {"name": "inner", "allow": "clerk", "steps": [], "returns": {"n": 1, "text": "x"}}])"));
    };
    EXPECT_EQ(calling("{steps.go.n + 1}"), Codes{});
    EXPECT_EQ(calling("{steps.go.text + 1}"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(calling("{steps.go.m}"), Codes{"UNKNOWN_FIELD"});
}

TEST(FlowTyping, OneMistakeIsToldOnce) {
    EXPECT_EQ(errors(workflow(R"({"id": "s", "set": {"a": "{new.x}", "b": "{old.y.z}"}})",
                              R"({"entity": "ordr", "event": "updated"})")),
              Codes{"UNKNOWN_ENTITY"});
    EXPECT_EQ(errors(workflow(
                  R"({"id": "s", "stt": {}}, {"id": "t", "if": "steps.s.a > 1", "sleep": "1h"})")),
              Codes{"UNKNOWN_KEY"});
}

// After PostgreSQL has described the columns of a query.
TEST(FlowTyping, TypesRowsThatAQueryReturned) {
    const auto described = [](const std::string& step) {
        const std::string text =
            workflow(R"({"id": "q", "query": {"name": "top"}}, )" + step).insert(1, R"(
            "queries": [{"name": "top", "allow": ["workflow"], "sql": "select 1"}],)");
        const svc::contract::Parsed parsed = svc::contract::parse(text);
        EXPECT_TRUE(parsed.contract) << step;
        const QueryRows rows{
            {"top", {{"title", scalar(ExprType::text)}, {"units", scalar(ExprType::integer)}}}};
        EXPECT_FALSE(resolve(*parsed.contract).findings.has_errors()) << step;
        Codes out;
        for (const auto& finding : resolve(*parsed.contract, rows).findings.all()) {
            if (finding.severity == svc::diag::Severity::error) out.push_back(finding.code);
        }
        return out;
    };
    const auto each = [&](const std::string& condition) {
        return described(R"({"id": "e", "for": "steps.q.rows", "as": "r", "if": ")" + condition +
                         R"(", "sleep": "1h"})");
    };
    EXPECT_EQ(each("r.units > 3 && r.title == 'x'"), Codes{});
    EXPECT_EQ(each("r.unit > 3"), Codes{"UNKNOWN_FIELD"});
    EXPECT_EQ(each("r.units == 'x'"), Codes{"TYPE_MISMATCH"});
    EXPECT_EQ(each("r.title.x == 'x'"), Codes{"BAD_PATH"});
    EXPECT_EQ(described(R"({"id": "e", "if": "steps.q.rowCount > 3", "sleep": "1h"})"), Codes{});
}

TEST(FlowModel, NamesEntitiesByTheirPlace) {
    const Model model = resolved(workflow(kMade));
    ASSERT_EQ(model.flows.workflows.size(), 1U);
    const Workflow& made = model.flows.workflows[0];
    EXPECT_EQ(made.on.entity, 1U);
    EXPECT_EQ(made.on.event, RowEvent::updated);
    EXPECT_EQ(made.retry.max, 5U);
    const auto* create = std::get_if<CreateStep>(&made.steps.at(0).action);
    ASSERT_TRUE(create);
    EXPECT_EQ(create->entity, 2U);
    EXPECT_EQ(create->data.at(0).value.kind, FlowValue::Kind::expr);
    EXPECT_EQ(create->data.at(0).value.expr->root, Root::new_);
    EXPECT_EQ(create->data.at(1).value.json, "1");
}

}  // namespace
