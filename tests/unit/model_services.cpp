// Services and pages of one contract that uses all of them, resolved; and the pieces that they are
// read by.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "contract/shape.hpp"
#include "model/page/routes.hpp"
#include "model/service/json_schema.hpp"
#include "model/urls.hpp"
#include "model_contract.hpp"
#include "paths.hpp"

namespace {

using namespace svc::model;
using Names = std::vector<std::string>;

const Model& whole() {
    static const Model kModel = [] {
        std::ifstream in(std::string(SVC_SOURCE_DIR) +
                         "/tests/golden/errors/whole/services_and_pages/svc.json");
        return svc::tests::resolved({std::istreambuf_iterator<char>(in), {}});
    }();
    return kModel;
}

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
    EXPECT_EQ(crm.actions[0].holes, Names{"id"});
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

TEST(ModelPages, ReadsHeadsAndMenus) {
    ASSERT_EQ(whole().pages.size(), 5U);
    EXPECT_EQ(whole().pages[0].nav->label, "Start");
    EXPECT_EQ(whole().pages[0].nav->order, 1U);
    EXPECT_EQ(whole().pages[1].params, Names{"id"});
    EXPECT_FALSE(whole().pages[1].nav);
    EXPECT_EQ(whole().pages[2].nav->label, "Purchases");
    EXPECT_FALSE(whole().pages[4].nav);
    EXPECT_EQ(whole().pages[4].component, 0U);
}

TEST(ModelPages, ReadsBlocks) {
    const auto& home = whole().pages[0].body;
    EXPECT_EQ(home[1].to.at(0).kind, Principal::Kind::guest);
    EXPECT_EQ(home[1].methods, (Names{"password", "oidc:work"}));
    EXPECT_EQ(home[0].to.at(0).kind, Principal::Kind::any);
    EXPECT_EQ(home[3].kind, BlockKind::grid);
    EXPECT_EQ(whole().entities[0].fields[home[3].image->field].name, "picture");
    EXPECT_EQ(home[3].filter.at(0).value->json, "[1,100000]");
    EXPECT_EQ(home[3].link.at(1).column.builtin, "id");
    EXPECT_EQ(whole().pages[1].body[3].props.at(0).second.holes.at(0).text, "id");

    const auto& purchases = whole().pages[2].body;
    EXPECT_TRUE(purchases[0].compare);
    EXPECT_EQ(purchases[1].by->field, whole().entities[1].lifecycle->field);
    EXPECT_EQ(purchases[2].sort->column.builtin, "created_at");
    EXPECT_TRUE(purchases[2].sort->descending);
    EXPECT_EQ(purchases[2].filter.at(1).op, FilterOp::this_week);
    EXPECT_EQ(purchases[4].group_by->builtin, "created_at");
    EXPECT_EQ(purchases[5].query, "reports/top");
    EXPECT_EQ(purchases[6].query_columns, (Names{"title", "pieces"}));

    const auto& purchase = whole().pages[3].body;
    EXPECT_EQ(purchase[0].id.at(0).kind, PageTextPart::Kind::route);
    EXPECT_EQ(purchase[2].set.at(0).second.holes.at(0).text, "id");
    EXPECT_EQ(purchase[3].transitions, std::vector<std::size_t>{0});
    EXPECT_EQ(whole().entities[*purchase[4].entity].name, "purchase");
}

TEST(ModelPages, ReadsRoutesAndWhatLeadsToThem) {
    EXPECT_EQ(route_pieces("/"), Names{});
    EXPECT_EQ(route_pieces("/orders/:id/lines"), (Names{"orders", ":id", "lines"}));
    for (const char* bad : {"", "orders", "//", "/orders/", "/Orders", "/a b", "/:", "/:Id", "/-a",
                            "/a/../b", "/a?b", "/\xC3\xA9"}) {
        EXPECT_FALSE(route_pieces(bad)) << bad;
    }
    EXPECT_TRUE(leads_to("/orders/{id}", "/orders/:key"));
    EXPECT_TRUE(leads_to("/orders/new?of={id}", "/orders/:id"));
    EXPECT_TRUE(leads_to("/", "/"));
    EXPECT_FALSE(leads_to("/orders/", "/orders/:id"));
    EXPECT_FALSE(leads_to("/orders/{id}/lines", "/orders/:id"));
    EXPECT_FALSE(leads_to("/{id}", "/orders"));
}

TEST(ModelUrls, RefusesAddressesOfNoServer) {
    for (const char* good : {"https://a.test", "http://127.0.0.1:8080/v1/", "https://a-b.test/x"}) {
        EXPECT_TRUE(is_address(good)) << good;
    }
    for (const char* bad : {"", "ftp://a", "https://", "https:///x", "https://a b", "https://u:p@a",
                            "https://a?q", "https://a#f", "https://a:0", "https://a:99999",
                            "https://a:", "https://.a", "https://a..b", "https://a/\"x"}) {
        EXPECT_FALSE(is_address(bad)) << bad;
    }
    EXPECT_TRUE(is_safe_address("http://localhost:9000"));
    EXPECT_FALSE(is_safe_address("http://localhost.evil.test"));
}

TEST(ModelUrls, KnowsTypesOfFiles) {
    for (const char* good : {"image/*", "image/png", "text/csv", "application/pdf"}) {
        EXPECT_TRUE(is_known_mime(good)) << good;
    }
    for (const char* bad : {"*/*", "application/*", "image", "image/", "image/p*g", "IMAGE/png",
                            "application/octet-stream", "text/html; charset=utf-8"}) {
        EXPECT_FALSE(is_known_mime(bad)) << bad;
    }
}

TEST(ContractShape, SecretsAndPascalNames) {
    using namespace svc::contract;
    EXPECT_TRUE(is_secret("secret:CRM_KEY"));
    EXPECT_FALSE(is_secret("secret:"));
    EXPECT_FALSE(is_secret("secret:a-b"));
    EXPECT_FALSE(is_secret("Secret:A"));
    EXPECT_TRUE(is_pascal_name("OrderBoard2"));
    EXPECT_FALSE(is_pascal_name("orderBoard"));
    EXPECT_FALSE(is_pascal_name("Order_Board"));
    EXPECT_FALSE(is_pascal_name(""));
}

Names schema_findings(const std::string& text) {
    svc::diag::Findings findings;
    const auto schema = svc::contract::read_json(text, findings);
    check_json_schema(*schema, findings);
    return svc::tests::codes(findings);
}

TEST(ModelJsonSchema, KeywordsHaveTheirForms) {
    for (const char* good :
         {"{}", R"({"type": "object", "properties": {"a": true}, "required": ["a"]})",
          R"({"properties": {"a": {"type": ["string", "null"], "enum": ["x", null]}}, "x-own": 1})",
          R"({"properties": {"a": {"anyOf": [{"type": "array", "items": {"minLength": 1}}]}}})"}) {
        EXPECT_EQ(schema_findings(good), Names{}) << good;
    }
    for (const char* bad :
         {R"({"type": "array"})", R"({"type": "text"})", R"({"type": []})",
          R"({"properties": ["a"]})", R"({"properties": {"a": 1}})", R"({"required": "a"})",
          R"({"required": ["a"]})", R"({"properties": {"a": {"enum": []}}})",
          R"({"properties": {"a": {"minLength": -1}}})", R"({"properties": {"a": {"items": []}}})",
          R"({"anyOf": []})", R"({"additionalProperties": "no"})", R"({"description": 1})"}) {
        EXPECT_EQ(schema_findings(bad), Names{"BAD_SCHEMA"}) << bad;
    }
}

}  // namespace
