// The forms that texts of a contract have: addresses, types of files, secrets, names, JSON Schema.
#include <gtest/gtest.h>

#include "contract/shape/shape.hpp"
#include "model/service/json_schema.hpp"
#include "model/urls.hpp"
#include "unit/model/contract.hpp"

namespace {

using namespace svc::model;
using Names = std::vector<std::string>;

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
