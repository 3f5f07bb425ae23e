// Every word that PostgreSQL knows, as a column of a table and of a query's result.
#include <set>
#include <sstream>

#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

// Words of expressions, which no field may be called.
const std::set<std::string> kKept = {"user", "old", "new", "input"};

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const auto& part : parts) out += (out.empty() ? "" : ", ") + part;
    return out;
}

class KeywordsTest : public MigrateTest {
  protected:
    // In lists that one table and one result have room for.
    std::vector<std::vector<std::string>> words() {
        std::istringstream all(query("select string_agg(word, ' ') from pg_get_keywords()"));
        std::vector<std::vector<std::string>> out;
        for (std::string word; all >> word;) {
            if (out.empty() || out.back().size() == 200) out.emplace_back();
            out.back().push_back(word);
        }
        return out;
    }

    pipeline::Checked check(const std::string& rest) {
        return pipeline::check(R"({"app": {"name": "Words"}, )" + rest + "}", target_.url);
    }

    void apply_all(const pipeline::Checked& checked) {
        for (const auto& finding : checked.findings.all())
            EXPECT_NE(finding.severity, diag::Severity::error) << finding.path << finding.message;
        ASSERT_TRUE(checked.plan);
        const auto result = apply(*checked.plan);
        ASSERT_TRUE(result.ok) << described(result);
    }
};

TEST_F(KeywordsTest, QueriesMayNameColumnsByKeywords) {
    std::vector<std::string> queries;
    for (const auto& list : words()) {
        std::vector<std::string> columns;
        for (const auto& word : list) columns.push_back("1 as \\\"" + word + "\\\"");
        queries.push_back(R"({"name": "words)" + std::to_string(queries.size()) +
                          R"(", "allow": ["end_user"], "sql": "select )" + joined(columns) + "\"}");
    }
    const auto checked = check(R"("queries": [)" + joined(queries) + "]");
    ASSERT_NO_FATAL_FAILURE(apply_all(checked));
    for (const auto& made : checked.plan->queries) {
        const std::string sql = made.elevated.sql;
        EXPECT_EQ(query("prepare one as " + sql + "; select 1"), "1") << sql;
    }
}

TEST_F(KeywordsTest, EntitiesMayNameFieldsByKeywords) {
    std::vector<std::string> entities;
    for (const auto& list : words()) {
        std::vector<std::string> fields;
        for (const auto& word : list) {
            if (kKept.contains(word)) continue;
            fields.push_back(R"({"name": ")" + word +
                             R"(", "type": "string", "unique": true, "min": 1, "max": 9,
                                 "pattern": "^a", "write": ["clerk"]})");
        }
        entities.push_back(R"({"name": "words)" + std::to_string(entities.size()) +
                           R"(", "fields": [)" + joined(fields) +
                           R"(], "access": {"read": "*", "create": "clerk", "update": "clerk"}})");
    }
    apply_all(check(R"("personas": [{"id": "clerk", "kind": "staff"}], "entities": [)" +
                    joined(entities) + "]"));
}

}  // namespace
}  // namespace svc::migrate
