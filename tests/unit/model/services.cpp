// The services of a contract that uses all of them, resolved.
#include <gtest/gtest.h>

#include "model/urls.hpp"
#include "unit/model/whole.hpp"

namespace {

using namespace svc::model;
using svc::tests::whole;
using Names = std::vector<std::string>;

TEST(ModelServices, ReadsPayments) {
    ASSERT_TRUE(whole().payments);
    const Payments& payments = *whole().payments;
    EXPECT_EQ(whole().entities[payments.order].name, "purchase");
    const Entity& lines = whole().entities[payments.lines];
    EXPECT_EQ(lines.fields[payments.link].name, "purchase_id");
    EXPECT_EQ(lines.fields[payments.item].name, "product_id");
    EXPECT_EQ(lines.fields[payments.quantity].name, "pieces");
    EXPECT_EQ(whole().entities[payments.catalogue].fields[payments.price].name, "price");
    EXPECT_TRUE(payments.price_in_cents && payments.offline && payments.card);
}

TEST(ModelServices, ReadsLimitsOfFilesAndAi) {
    EXPECT_EQ(whole().files.max_size, 10U << 20);
    EXPECT_EQ(whole().files.mime, (Names{"image/*", "application/pdf"}));
    EXPECT_EQ(whole().ai.model, "large");
    EXPECT_EQ(whole().ai.max_input_chars, 20000U);
    EXPECT_EQ(whole().ai.per_project_daily, 1000000U);
}

TEST(ModelServices, WhatIsNotSaidHasItsDefault) {
    const Model model = svc::tests::resolved(R"({"app": {"name": "A"}, "ai": {"model": "m"}})");
    EXPECT_EQ(model.files.max_size, 25U << 20);
    EXPECT_EQ(model.files.mime, known_mime());
    EXPECT_EQ(model.ai.models, Names{"m"});
    EXPECT_FALSE(model.ai.per_user_daily);
    EXPECT_TRUE(model.auth.password);
    EXPECT_FALSE(model.payments);
}

TEST(ModelServices, ReadsConnectors) {
    const Connectors& connectors = whole().connectors;
    ASSERT_EQ(connectors.integrations.size(), 3U);
    const Integration& crm = connectors.integrations[0];
    EXPECT_EQ(crm.auth.type, ConnectorAuth::Type::header);
    EXPECT_EQ(crm.auth.secret, "CRM_KEY");
    EXPECT_EQ(crm.actions[0].placeholders, Names{"id"});
    EXPECT_TRUE(crm.actions[0].closed);
    EXPECT_TRUE(crm.actions[0].props.at(0).required);
    EXPECT_EQ(crm.actions[1].props.at(1).type, ExprType::integer);
    EXPECT_EQ(connectors.integrations[1].auth.type, ConnectorAuth::Type::none);
    EXPECT_EQ(connectors.integrations[2].auth.user, "studio");
    EXPECT_EQ(connectors.mcp.at(0).auth.secret, "DOCS");
    ASSERT_EQ(connectors.allow.size(), 1U);
    EXPECT_EQ(connectors.allow[0].name, "crm/find");
    EXPECT_FALSE(connectors.allow[0].to);
}

TEST(ModelServices, ReadsWaysToSignIn) {
    EXPECT_TRUE(whole().auth.magic);
    ASSERT_EQ(whole().auth.providers.size(), 2U);
    EXPECT_EQ(whole().auth.providers[0].scopes, (Names{"openid", "email", "profile"}));
    EXPECT_EQ(whole().auth.providers[1].client_secret, "OWN_SECRET");
    EXPECT_TRUE(whole().personas[1].mfa_required);
    EXPECT_EQ(whole().org_roles, (Names{"owner", "admin", "member"}));
}

TEST(ModelServices, ReadsFeaturesOfEntities) {
    const Entity& product = whole().entities[0];
    ASSERT_EQ(product.search.size(), 2U);
    EXPECT_EQ(product.search[0].weight, "3");
    EXPECT_EQ(product.search[0].weight_class, 'A');
    EXPECT_EQ(product.search[1].weight_class, 'B');
    EXPECT_TRUE(whole().entities[1].soft_delete && whole().entities[1].audit);
    ASSERT_TRUE(whole().entities[3].external);
    EXPECT_EQ(whole().entities[3].external->schema, "public");
    EXPECT_EQ(whole().entities[3].external->table, "legacy_order");
}

}  // namespace
