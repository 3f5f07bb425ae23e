// Contracts whose names and texts try to break out of SQL, C++ and comments: each ends in a clear
// finding or is harmless. What is accepted is compiled and brought to a database.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "build/build.hpp"
#include "paths.hpp"
#include "pipeline.hpp"
#include "unit/hostile_texts.hpp"
#include "unit/migrate/fixture.hpp"
#include "unit/sample_text.hpp"

namespace svc::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json sample(const std::string& name) { return Json::parse(tests::sample_text(name)); }

// Bytes that are not UTF-8 stay as they are: JSON text is made by hand around them.
std::string text_of(const Json& contract, const std::vector<std::string>& hostile) {
    std::string text = contract.dump();
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        const std::string mark = "\"HOSTILE-" + std::to_string(i) + "-";
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
            const std::size_t end = text.find('"', at + 1);
            const std::string number = text.substr(at + mark.size(), end - at - mark.size());
            std::string escaped;
            for (const char c : hostile[i]) {
                if (c == '"' || c == '\\') escaped += '\\';
                if (static_cast<unsigned char>(c) < 0x20) {
                    char code[8];
                    std::snprintf(code, sizeof code, "\\u%04x", c);
                    escaped += code;
                } else {
                    escaped += c;
                }
            }
            // Numbered in front or at the end: where it ends may be what matters.
            const std::string made = "\"" + number + escaped + "\"";
            text.replace(at, end + 1 - at, made);
            at += made.size();
        }
    }
    return text;
}

void strings(Json& node, std::vector<Json*>& out) {
    if (node.is_string()) out.push_back(&node);
    if (!node.is_structured()) return;
    for (auto& child : node) strings(child, out);
}

class HostileContracts : public migrate::MigrateTest,
                         public testing::WithParamInterface<std::size_t> {
  protected:
    void SetUp() override {
        migrate::MigrateTest::SetUp();
        settings_.toolchain = SVC_TOOLCHAIN_DIR;
        settings_.cache = testing::TempDir() + "svc-hostile-" + std::to_string(getpid());
    }
    void TearDown() override {
        std::filesystem::remove_all(settings_.cache);
        migrate::MigrateTest::TearDown();
    }

    build::Settings settings_;
};

// The shop with every text that an author may write freely. Without patterns: only PostgreSQL can
// say what it makes of one, and which rows fit it; that is tested with the migrations.
Json talkative() {
    Json contract = sample("shop");
    contract["app"]["description"] = "Sells";
    for (Json& persona : contract["personas"]) persona["label"] = "Somebody";
    for (Json& entity : contract["entities"]) {
        entity["label"] = "Something";
        for (Json& field : entity["fields"]) {
            field.erase("pattern");
            field["label"] = "Some";
        }
    }
    contract["entities"][0]["fields"].push_back(
        {{"name", "colour"}, {"type", "enum"}, {"values", {"red", "green", "dark blue"}}});
    contract["entities"][0]["fields"].push_back(
        {{"name", "unit"}, {"type", "string"}, {"default", "piece"}});
    contract["queries"][0]["description"] = "What sells";
    contract["pages"] = Json::parse(
        R"([{"route": "/about", "title": "About", "to": "*", "body": [{"markdown": {"text": "Words"}}]}])");
    return contract;
}

// Puts the hostile texts, each at another place in every round, wherever the checker takes them.
std::string filled(Json contract, const std::vector<std::string>& texts, std::size_t round,
                   std::size_t& accepted) {
    std::vector<Json*> places;
    strings(contract, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Json before = *places[i];
        *places[i] = "HOSTILE-" + std::to_string((i + round * 5) % texts.size()) + "-" +
                     (i % 2 == 0 ? std::to_string(i) : "");
        const Checked checked = check(text_of(contract, texts));
        for (const auto& finding : checked.findings.all()) {
            EXPECT_FALSE(finding.message.empty());
            if (!checked.plan) {
                EXPECT_GT(finding.line, 0) << finding.code << finding.path;
            }
        }
        if (checked.plan) {
            ++accepted;
        } else {
            *places[i] = before;
        }
    }
    return text_of(contract, texts);
}

TEST_P(HostileContracts, AreRefusedOrHarmless) {
    const std::vector<std::string> texts = test::hostile_texts();
    std::size_t accepted = 0;
    const std::string contract = filled(talkative(), texts, GetParam(), accepted);
    EXPECT_GT(accepted, 20U);
    const Checked checked = check(contract);
    ASSERT_TRUE(checked.plan);
    const auto built = build::compile(emit(*checked.plan), settings_);
    EXPECT_TRUE(built.ok) << built.error << contract;
    const auto result = apply(*checked.plan);
    for (const auto& finding : result.findings.all()) {
        ADD_FAILURE() << finding.code << " " << finding.path << " " << finding.message;
    }
    EXPECT_EQ(query("select count(*) from pg_tables where schemaname = 'public'"),
              std::to_string(checked.plan->tables.size()));
}

INSTANTIATE_TEST_SUITE_P(Rounds, HostileContracts, testing::Range<std::size_t>(0, 5));

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

// Deep nesting would end in a stack overflow, long lists in minutes: both are bounded or linear.
TEST(HostileSizes, AreFindingsOrFine) {
    const auto with_condition = [](const std::string& condition) {
        Json contract = sample("hello");
        contract["entities"][0]["access"] = {
            {"read", Json::array({{{"to", "*"}, {"if", condition}}})}};
        return contract.dump();
    };
    const std::string field = sample("hello")["entities"][0]["fields"][0]["name"];
    const std::vector<std::string> contracts = {
        repeated("[", 200000),
        R"({"app": )" + repeated(R"({"a": )", 100000),
        with_condition(repeated("(", 100000) + "true" + repeated(")", 100000)),
        with_condition(repeated("!", 100000) + "true"),
        with_condition(repeated("-", 100001) + "1 == 1"),
        with_condition("true" + repeated(" && true", 50000)),
        with_condition("1" + repeated(" + 1", 50000) + " > 0"),
        with_condition(field + " in [" + repeated("'a', ", 20000) + "'b']"),
        with_condition("'" + std::string(100000, 'x') + "' == " + field),
        with_condition(std::string(100000, 'x') + " == 1"),
        with_condition(repeated("user.", 50000) + "id == null"),
    };
    for (const std::string& contract : contracts) {
        const Checked checked = check(contract);
        EXPECT_EQ(checked.plan.has_value(), !checked.findings.has_errors());
        for (const auto& finding : checked.findings.all()) {
            EXPECT_LT(diag::render(finding, "svc.json", contract, false).size(), 2000U);
        }
        if (checked.plan) {
            EXPECT_FALSE(emit(*checked.plan).empty());
        }
    }
}

TEST(HostileSizes, HundredThousandCharactersInEveryText) {
    Json contract = sample("shop");
    std::vector<Json*> places;
    strings(contract, places);
    const std::string longest(100000, 'l');
    for (Json* place : places) {
        const Json before = *place;
        *place = longest;
        const Checked checked = check(contract.dump());
        for (const auto& finding : checked.findings.all()) {
            EXPECT_LT(diag::render(finding, "svc.json", "", false).size(), 2000U) << finding.code;
        }
        *place = before;
    }
}

TEST(HostileSizes, TwentyThousandValuesAndFiveHundredEntities) {
    Json contract = sample("hello");
    Json values = Json::array();
    for (int i = 0; i < 20000; ++i) values.push_back("value " + std::to_string(i));
    contract["entities"][0]["fields"].push_back(
        {{"name", "colour"}, {"type", "enum"}, {"values", values}});
    const Checked coloured = check(contract.dump());
    ASSERT_TRUE(coloured.plan);
    EXPECT_FALSE(emit(*coloured.plan).empty());
    Json many = {{"app", {{"name", "Many"}}}, {"entities", Json::array()}};
    for (int i = 0; i < 500; ++i) {
        Json fields = Json::array();
        for (int f = 0; f < 10; ++f) {
            fields.push_back({{"name", "field" + std::to_string(f)}, {"type", "string"}});
        }
        many["entities"].push_back({{"name", "entity" + std::to_string(i)}, {"fields", fields}});
    }
    const Checked checked = check(many.dump());
    ASSERT_TRUE(checked.plan);
    EXPECT_GT(emit(*checked.plan).size(), 500U);
}

}  // namespace
}  // namespace svc::pipeline
