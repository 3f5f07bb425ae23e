#include "model/resolve.hpp"

#include <gtest/gtest.h>

#include "unit/model/contract.hpp"
#include "unit/sample_text.hpp"

namespace {

using namespace svc::model;
using svc::tests::codes;
using svc::tests::kShop;
using svc::tests::resolved;
using svc::tests::sample_text;
using Codes = std::vector<std::string>;

// The smallest contract with one entity of these members.
Resolved entity(const std::string& members, const std::string& more = "") {
    const auto parsed = svc::contract::parse(
        R"({"app": {"name": "A"}, "personas": [{"id": "p", "kind": "staff"}], "entities": [{"name": "e", )" +
        members + "}]" + more + "}");
    EXPECT_TRUE(parsed.contract) << parsed.findings.all()[0].message;
    return resolve(*parsed.contract);
}

TEST(ModelResolve, ReadsTheSamples) {
    EXPECT_EQ(resolved(sample_text("hello")).entities.size(), 1U);
    const Model shop = resolved(sample_text("shop"));
    EXPECT_EQ(shop.entities.size(), 3U);
    EXPECT_EQ(shop.seeds.rows.at(0).second.at(0).key, "tea");
    EXPECT_EQ(shop.seeds.users.at(0).email, "ann@example.test");
}

TEST(ModelResolve, PersonasActAsWhatTheyExtend) {
    const Model model = resolved(kShop);
    EXPECT_EQ(model.personas[2].acts_as, (Codes{"manager", "clerk"}));
    EXPECT_EQ(model.personas[2].label, "Manager");
    EXPECT_TRUE(model.personas[0].signup);
    EXPECT_FALSE(model.personas[1].signup);
}

TEST(ModelResolve, LifecycleMakesItsField) {
    const Model model = resolved(kShop);
    const Entity& order = model.entities[1];
    ASSERT_TRUE(order.lifecycle);
    const Field& status = order.fields[order.lifecycle->field];
    EXPECT_EQ(status.name, "status");
    EXPECT_EQ(order.lifecycle->field, 4U);
    EXPECT_TRUE(status.lifecycle);
    EXPECT_TRUE(status.required);
    EXPECT_EQ(status.values, (Codes{"draft", "placed"}));
    EXPECT_EQ(status.default_value.text, "draft");
    const Transition& place = order.lifecycle->transitions.at(0);
    EXPECT_EQ(place.set.size(), 3U);
    EXPECT_EQ(place.set[2].second->type, ExprType::date);
    EXPECT_FALSE(place.refusal.empty());
}

TEST(ModelResolve, ExplicitAccessDeniesWhatItLeavesOut) {
    const Access access = resolved(kShop).entities[1].access;
    EXPECT_FALSE(access.defaulted);
    EXPECT_EQ(access.read.size(), 2U);
    EXPECT_TRUE(access.create.empty());
    EXPECT_EQ(access.update.at(0).fields, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(access.deny.update.at(0).to.kind, Principal::Kind::any);
}

TEST(ModelResolve, DefaultAccessOfTheOwnersRows) {
    const Resolved out = entity(R"("fields": [])");
    ASSERT_TRUE(out.model);
    const Access& access = out.model->entities[0].access;
    EXPECT_TRUE(access.defaulted);
    EXPECT_EQ(codes(out.findings), Codes{"ACCESS_DEFAULTED"});
    ASSERT_EQ(access.remove.size(), 2U);
    EXPECT_EQ(access.remove[0].to.kind, Principal::Kind::signed_in);
    EXPECT_EQ(access.remove[0].condition->args[0]->steps[0].builtin, "user_id");
    EXPECT_EQ(access.remove[1].to.kind, Principal::Kind::staff);
    EXPECT_FALSE(access.remove[1].condition);
}

TEST(ModelResolve, DefaultAccessWithoutOwnerAndWithParent) {
    EXPECT_FALSE(
        entity(R"("fields": [], "owner": "none")").model->entities[0].access.read[0].condition);
    const Entity line = resolved(kShop).entities[2];
    EXPECT_TRUE(line.access.defaulted);
    EXPECT_EQ(line.access.same_as, 0U);
    EXPECT_EQ(line.owner.parent, 0U);
    EXPECT_FALSE(line.owner.user);
}

TEST(ModelResolve, DefaultAccessOfOrganisations) {
    const Resolved out =
        entity(R"("fields": [], "owner": "user+org")", R"(, "orgs": {"enabled": true})");
    ASSERT_TRUE(out.model);
    EXPECT_EQ(out.model->org_roles, (Codes{"owner", "admin", "member"}));
    EXPECT_EQ(out.model->entities[0].access.read[0].condition->kind, ExprKind::and_);
}

TEST(ModelResolve, RulesKeepMessagesInPieces) {
    const Rule rule = resolved(kShop).entities[2].rules.at(0);
    EXPECT_TRUE(rule.on_create && rule.on_update && !rule.on_delete);
    ASSERT_EQ(rule.message.size(), 5U);
    EXPECT_EQ(rule.message[0].text, "Only ");
    EXPECT_EQ(rule.message[1].expr->steps.size(), 2U);
    EXPECT_EQ(rule.message[4].text, " left.");
}

TEST(ModelResolve, ReadsDefaultsByTheTypeOfTheField) {
    const Resolved out = entity(R"json("owner": "none", "access": {"read": "*"}, "fields": [
        {"name": "a", "type": "date", "default": "today()"}, {"name": "b", "type": "datetime", "default": "now()"},
        {"name": "c", "type": "json", "default": {"x": 1}}, {"name": "d", "type": "string", "default": "now()"},
        {"name": "f", "type": "text", "default": null}])json");
    ASSERT_TRUE(out.model);
    const auto& fields = out.model->entities[0].fields;
    EXPECT_EQ(fields[0].default_value.kind, Default::Kind::today);
    EXPECT_EQ(fields[1].default_value.kind, Default::Kind::now);
    EXPECT_EQ(fields[2].default_value.text, "{\"x\":1}");
    EXPECT_EQ(fields[3].default_value.text, "now()");
    EXPECT_EQ(fields[3].max_length, 255U);
    EXPECT_EQ(fields[4].default_value.kind, Default::Kind::none);
}

TEST(ModelResolve, ComputedFieldsReadNoOtherComputedField) {
    const Resolved out = entity(R"("owner": "none", "access": {"read": "*"}, "fields": [
        {"name": "a", "type": "integer"}, {"name": "b", "type": "decimal", "computed": "a * 1.5"}])");
    ASSERT_TRUE(out.model);
    EXPECT_EQ(out.model->entities[0].fields[1].computed->kind, ExprKind::mul);
    EXPECT_EQ(
        codes(entity(R"("access": {}, "fields": [{"name": "a", "type": "integer", "computed": "1"},
        {"name": "b", "type": "integer", "computed": "a + 1"}])")
                  .findings),
        Codes{"BAD_OPERAND"});
}

TEST(ModelResolve, SeedsReferToRowsWhateverTheOrder) {
    const Resolved out = entity(
        R"("access": {}, "fields": [{"name": "up", "type": "ref", "to": "e"},
        {"name": "who", "type": "user"}, {"name": "t", "type": "text"}])",
        R"(, "seeds": {"e": [{"up": "@b", "who": "@ann", "_as": "ann", "t": "@b"}, {"_key": "b", "up": null}],
            "@users": [{"_key": "ann", "email": "a@b.test", "persona": "p", "isAdmin": true}]})");
    ASSERT_TRUE(out.model) << out.findings.all()[0].message;
    const SeedRow& row = out.model->seeds.rows[0].second[0];
    EXPECT_EQ(row.key, "#0");
    EXPECT_EQ(row.owner_key, "ann");
    EXPECT_EQ(row.values[0].ref_key, "b");
    EXPECT_TRUE(row.values[1].ref_user);
    EXPECT_EQ(row.values[2].text, "@b");
    EXPECT_TRUE(out.model->seeds.rows[0].second[1].values[0].null);
    EXPECT_TRUE(out.model->seeds.users[0].is_admin);
}

TEST(ModelResolve, SeedsMayBeUnchanged) {
    const Resolved out = entity(R"("fields": [])", R"(, "seeds": "UNCHANGED")");
    ASSERT_TRUE(out.model);
    EXPECT_TRUE(out.model->seeds.unchanged);
}

}  // namespace
