// Every limit that stored rows break names them, all at once, and before anything runs.
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class RefusalTest : public MigrateTest {
  protected:
    // An entity of one field beside a target for refs.
    static plan::Plan item(const std::string& field, const std::string& more = "") {
        const auto checked = pipeline::check(
            R"({"app": {"name": "Shop"}, "personas": [], "entities": [
              {"name": "item", "owner": "none", "fields": [)" +
            field + "]" + more + R"(}, {"name": "shelf", "owner": "none", "fields": []}],
              "seeds": {}})");
        for (const auto& finding : checked.findings.all()) {
            if (finding.severity == diag::Severity::error) ADD_FAILURE() << finding.message;
        }
        return *checked.plan;
    }
    // The contract before, its rows, the contract after: one finding that names the last row.
    diag::Finding refused(const std::string& before, const std::string& values,
                          const std::string& after, const std::string& more = "") {
        query("drop table if exists public.item cascade");
        EXPECT_TRUE(apply(item(before)).ok);
        const std::string id = query("with made as (insert into public.item (f) values " + values +
                                     " returning id) select max(id::text) from made");
        const auto shown = preview(item(after, more), target_);
        const auto result = apply(item(after, more), 2);
        EXPECT_EQ(described(shown), described(result));
        const auto finding = only(result);
        EXPECT_NE(finding.message.find(id), std::string::npos) << finding.message;
        EXPECT_EQ(query("select version from svc.contract"), "1");
        return finding;
    }
};

TEST_F(RefusalTest, limits_name_the_rows_that_break_them) {
    const std::string text = R"({"name": "f", "type": "text"})";
    const std::string number = R"({"name": "f", "type": "integer"})";
    const auto way = [&](const std::string& before, const std::string& values,
                         const std::string& after) {
        const auto finding = refused(before, values, after);
        EXPECT_EQ(finding.code, "ROWS_IN_THE_WAY") << after;
        EXPECT_EQ(finding.path, "/entities/0/fields/0") << after;
    };
    way(text, "('long')", R"({"name": "f", "type": "text", "max": 3})");
    way(text, "('s')", R"({"name": "f", "type": "text", "min": 3})");
    way(text, "('x')", R"({"name": "f", "type": "text", "pattern": "^[0-9]+$"})");
    way(text, "('no mail')", R"({"name": "f", "type": "email"})");
    way(text, "('x')", R"({"name": "f", "type": "enum", "values": ["a", "b"]})");
    way(R"({"name": "f", "type": "enum", "values": ["a", "b"]})", "('b')",
        R"({"name": "f", "type": "enum", "values": ["a"]})");
    way(number, "(7)", R"({"name": "f", "type": "integer", "max": 6})");
    way(number, "(7)", R"({"name": "f", "type": "integer", "min": 8})");
    way(R"({"name": "f", "type": "number"})", "(1.25)",
        R"({"name": "f", "type": "decimal", "scale": 1})");
    way(text, "('a'), ('a')", R"({"name": "f", "type": "text", "unique": true})");
    way(R"({"name": "f", "type": "uuid"})", "(gen_random_uuid())",
        R"({"name": "f", "type": "ref", "to": "shelf"})");
    way(R"({"name": "f", "type": "uuid"})", "(gen_random_uuid())",
        R"({"name": "f", "type": "user"})");
    // Under another name and type, too.
    way(text, "('7')", R"({"name": "g", "renamedFrom": "f", "type": "integer", "max": 6})");
    way(R"({"name": "f", "type": "text"})", "('c0ffee00-0000-4000-8000-000000000000')",
        R"({"name": "f", "type": "ref", "to": "shelf"})");
}

TEST_F(RefusalTest, missing_values_name_their_rows) {
    const std::string text = R"({"name": "f", "type": "text"})";
    EXPECT_EQ(refused(text, "(null)", R"({"name": "f", "type": "text", "required": true})").code,
              "HAS_NULLS");
    EXPECT_EQ(refused(text, "('x')", R"({"name": "n", "type": "text", "required": true})").code,
              "REQUIRED_NEEDS_DEFAULT");
    EXPECT_EQ(refused(text, "('x')", R"({"name": "f", "type": "text", "computed": "'x'"})").code,
              "HOLDS_VALUES");
}

TEST_F(RefusalTest, amounts_are_not_read_as_other_amounts) {
    const auto finding = refused(R"({"name": "f", "type": "money"})", "(650)",
                                 R"({"name": "f", "type": "integer"})");
    EXPECT_EQ(finding.code, "CANNOT_CAST");
    EXPECT_EQ(
        refused(R"({"name": "f", "type": "number"})", "(6)", R"({"name": "f", "type": "money"})")
            .code,
        "CANNOT_CAST");
}

TEST_F(RefusalTest, new_field_with_one_default_is_not_unique_in_many_rows) {
    EXPECT_EQ(refused(R"({"name": "f", "type": "text"})", "('x'), ('y')",
                      R"({"name": "f", "type": "text"},
                         {"name": "g", "type": "text", "default": "same", "unique": true})")
                  .code,
              "ROWS_IN_THE_WAY");
}

TEST_F(RefusalTest, all_are_told_at_once) {
    ASSERT_TRUE(apply(item(R"({"name": "f", "type": "text"}, {"name": "g", "type": "text"})")).ok);
    query("insert into public.item (f, g) values ('xx', null), ('xx', 'y')");
    const auto result = apply(item(R"({"name": "f", "type": "text", "unique": true, "max": 1},
                                      {"name": "g", "type": "text", "required": true},
                                      {"name": "h", "type": "text", "required": true})"),
                              2);
    EXPECT_EQ(result.findings.all().size(), 4U) << described(result);
}

// A cast that fails is one finding; limits of other columns are reported beside it.
TEST_F(RefusalTest, a_cast_hides_no_limits_of_other_columns) {
    ASSERT_TRUE(apply(item(R"({"name": "f", "type": "text"}, {"name": "g", "type": "text"},
                               {"name": "h", "type": "text"}, {"name": "k", "type": "integer"})"))
                    .ok);
    query(
        "insert into public.item (f, g, h, k) values ('xx', 'no day', 'x', 7), "
        "('xx', '2024-02-30', 'x', 8)");
    const auto result = apply(item(R"({"name": "f", "type": "text", "unique": true, "max": 1},
                      {"name": "day", "renamedFrom": "g", "type": "date", "min": "2000-01-01"},
                      {"name": "h", "type": "email"},
                      {"name": "k", "type": "integer", "max": 6},
                      {"name": "next", "type": "date", "computed": "day"})",
                                   R"(, "unique": [["day", "k"], ["f", "h"]])"),
                              2);
    std::vector<std::string> codes;
    for (const auto& finding : result.findings.all()) codes.push_back(finding.code);
    std::sort(codes.begin(), codes.end());
    EXPECT_EQ(codes,
              (std::vector<std::string>{"CANNOT_CAST", "ROWS_IN_THE_WAY", "ROWS_IN_THE_WAY",
                                        "ROWS_IN_THE_WAY", "ROWS_IN_THE_WAY", "ROWS_IN_THE_WAY"}))
        << described(result);
}

TEST_F(RefusalTest, what_happens_when_a_target_goes_changes) {
    const auto ref = [](const std::string& action) {
        return R"({"name": "f", "type": "ref", "to": "shelf", "onDelete": ")" + action + R"("})";
    };
    ASSERT_TRUE(apply(item(ref("cascade"))).ok);
    ASSERT_TRUE(apply(item(ref("null")), 2).ok);
    EXPECT_EQ(query("select confdeltype from pg_constraint where conname = 'item_f_fkey'"), "n");
}

TEST_F(RefusalTest, a_prefix_changes_for_new_rows) {
    const auto numbered = [](const std::string& prefix) {
        return R"({"name": "f", "type": "text"}, {"name": "n", "type": "sequence", "prefix": ")" +
               prefix + R"("})";
    };
    ASSERT_TRUE(apply(item(numbered("A-"))).ok);
    query("insert into public.item default values");
    ASSERT_TRUE(apply(item(numbered("B-")), 2).ok);
    query("insert into public.item default values");
    EXPECT_EQ(query("select string_agg(n, ' ' order by n) from public.item"), "A-1 B-2");
}

}  // namespace
}  // namespace svc::migrate
