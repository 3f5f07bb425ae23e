// Names that an author may well choose, and that the generated C++ could take for its own: all that
// stand in it, of entities, fields, queries, their folders and parameters, personas and roles.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "build/build.hpp"
#include "paths.hpp"
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"
#include "unit/sample_text.hpp"

namespace svc::pipeline {
namespace {

using Json = nlohmann::ordered_json;

// A contract that has one of each.
Json sample() {
    Json contract = Json::parse(tests::sample_text("clinic"));
    contract["auth"]["methods"] = {"password", "oidc:work"};
    contract["auth"]["providers"] = Json::parse(
        R"([{"id": "work", "preset": "google", "clientId": "n", "clientSecret": "secret:WORK"}])");
    contract["auth"]["mails"] = Json::parse(R"({"magic": {"subject": "Come", "text": "{link}"}})");
    return contract;
}

// Lower-case words of the code, not of its texts and comments.
void add_words(const std::string& code, std::set<std::string>& words) {
    const auto part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (std::size_t at = 0; at < code.size();) {
        if (code.compare(at, 2, "//") == 0) {
            at = std::min(code.find('\n', at), code.size());
        } else if (code[at] == '"') {
            for (++at; at < code.size() && code[at] != '"'; ++at) at += code[at] == '\\' ? 1 : 0;
            ++at;
        } else if (part(code[at])) {
            const std::size_t begin = at;
            while (at < code.size() && part(code[at])) ++at;
            words.insert(code.substr(begin, at - begin));
        } else {
            ++at;
        }
    }
}

// Names of one list differ in more than underscores.
std::string folded(std::string name) {
    std::erase(name, '_');
    return name;
}

class EmittedNames : public migrate::MigrateTest {
  protected:
    void SetUp() override {
        migrate::MigrateTest::SetUp();
        if (IsSkipped()) return;
        settings_.toolchain = SVC_TOOLCHAIN_DIR;
        settings_.cache = testing::TempDir() + "svc-names-" + std::to_string(getpid());
    }
    void TearDown() override {
        std::filesystem::remove_all(settings_.cache);
        migrate::MigrateTest::TearDown();
    }

    Checked checked(const Json& contract) { return check(contract.dump(), target_.url); }

    // Those that an entity and its field may be called; of the header of personas and roles, those
    // that they may. Without queries a check needs no database.
    void collect() {
        const Checked rich = checked(sample());
        ASSERT_TRUE(rich.plan) << rich.findings.all().front().message;
        std::set<std::string> words, principals;
        for (const auto& [path, text] : emit(*rich.plan)) {
            if (path.ends_with("pp")) add_words(text, words);
            if (path == "app.principals.hpp") add_words(text, principals);
        }
        std::set<std::string> taken;
        for (const std::string& word : words) {
            const Json alone = {{"app", {{"name", "N"}}}, {"entities", {entity(word)}}};
            if (!check(alone.dump()).plan || !taken.insert(folded(word)).second) continue;
            words_.insert(word);
            const Json persona = {{"app", {{"name", "N"}}},
                                  {"personas", {{{"id", word}, {"kind", "staff"}}}}};
            if (principals.contains(word) && check(persona.dump()).plan) principals_.insert(word);
        }
    }

    // Its field is read where the row is judged.
    static Json entity(const std::string& name) {
        return {{"name", name},
                {"owner", "none"},
                {"fields", {{{"name", name}, {"type", "text"}}}},
                {"access", {{"read", {{{"to", "*"}, {"if", name + " == 'a'"}}}}}}};
    }

    // Bodies have parameters under "params", which none may be called.
    static Json query_of(const std::string& word) {
        const std::string param = word == "params" ? "param" : word;
        return {{"name", word + "/" + word},
                {"allow", {"end_user"}},
                {"params", {{param, {{"type", "text"}}}}},
                {"sql", "select :" + param + "::text as " + word}};
    }

    build::Settings settings_;
    std::set<std::string> words_, principals_;
};

TEST_F(EmittedNames, AreTakenForNobodyElse) {
    ASSERT_NO_FATAL_FAILURE(collect());
    EXPECT_GT(words_.size(), 200U);
    EXPECT_TRUE(principals_.contains("org"));
    Json contract = sample();
    std::set<std::string> taken;
    for (const Json& known : contract["entities"]) taken.insert(folded(known["name"]));
    for (const std::string& word : words_) {
        if (taken.insert(folded(word)).second) contract["entities"].push_back(entity(word));
        contract["queries"].push_back(query_of(word));
    }
    for (const Json& known : contract["personas"]) principals_.erase(known["id"]);
    for (const Json& known : contract["orgs"]["roles"]) principals_.erase(known);
    for (const std::string& word : principals_) {
        contract["personas"].push_back({{"id", word}, {"kind", "staff"}});
        contract["orgs"]["roles"].push_back(word);
    }
    const Checked all = checked(contract);
    ASSERT_TRUE(all.plan) << all.findings.all().front().message;
    const auto built = build::compile(emit(*all.plan), settings_);
    EXPECT_TRUE(built.ok) << built.error;
}

}  // namespace
}  // namespace svc::pipeline
