// Named queries against a real PostgreSQL.
#include <gtest/gtest.h>

#include <cstdlib>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "pipeline.hpp"
#include "plan/names.hpp"
#include "query/functions.hpp"
#include "sql/allowed.hpp"

namespace {

using svc::pipeline::check;
using svc::pipeline::Checked;
using svc::plan::statement_name;

std::string url() {
    const char* set = std::getenv("SVC_TEST_DATABASE_URL");
    return set != nullptr ? set : "";
}

class QueryProve : public ::testing::Test {
  protected:
    void SetUp() override {
        if (url().empty()) GTEST_SKIP() << "needs tests/lib/with_postgres";
    }
};

constexpr const char* kEntities = R"json("app": {"name": "Q"}, "entities": [
  {"name": "product", "owner": "none", "access": {"read": "*"}, "fields": [
    {"name": "title", "type": "string"}, {"name": "price", "type": "money"},
    {"name": "weight", "type": "decimal", "scale": 2}, {"name": "labels", "type": "tags"},
    {"name": "extra", "type": "json"}, {"name": "day", "type": "date"}]},
  {"name": "order", "owner": "user", "access": {"read": "*"}, "fields": [
    {"name": "product_id", "type": "ref", "to": "product"}]},
  {"name": "date", "owner": "none", "access": {"read": "*"}, "fields": [
    {"name": "day", "type": "date"}]}])json";

std::string contract(const std::string& sql, const std::string& more = "") {
    return std::string("{") + kEntities +
           ", \"queries\": [{\"name\": \"reports/one\", \"allow\": [\"end_user\"]" + more +
           ", \"sql\": \"" + sql + "\"}]}";
}

Checked proved(const std::string& sql, const std::string& more = "") {
    return check(contract(sql, more), url());
}

std::string errors(const Checked& checked) {
    std::string out;
    for (const auto& finding : checked.findings.all()) {
        if (finding.severity != svc::diag::Severity::error) continue;
        out += finding.code + "@" + std::to_string(finding.column) + " " + finding.message + "\n";
    }
    return out;
}

TEST(StatementName, IsOneQuerysAndShort) {
    const std::string longest(100, 'a');
    EXPECT_NE(statement_name("a/b"), statement_name("a_b"));
    EXPECT_NE(statement_name(longest), statement_name(longest.substr(1)));
    EXPECT_LE((statement_name(longest) + "_elevated").size(), svc::plan::kMaxName);
    EXPECT_TRUE(statement_name("reports/top").starts_with("svc_query_reports_top_"));
}

TEST_F(QueryProve, GivesStatementParametersAndColumns) {
    const Checked checked = proved(
        "select p.title, count(*) as n, max(o.created_at) as last, :least::numeric as least "
        "from \\\"order\\\" o join product p on p.id = o.product_id "
        "where p.day >= :since and p.price > :least group by p.id; -- done",
        R"(, "params": {"since": {"type": "date", "required": true},
                        "least": {"type": "money", "default": 5}})");
    ASSERT_TRUE(checked.plan) << errors(checked);
    const svc::plan::Query& query = checked.plan->queries.at(0);
    EXPECT_EQ(query.statement.name, statement_name("reports/one"));
    EXPECT_EQ(query.statement.sql,
              "select * from (\nselect p.title, count(*) as n, max(o.created_at) as last, "
              "$2::numeric as least "
              "from public.\"order\" o join public.product p on p.id = o.product_id "
              "where p.day >= $1 and p.price > $2 group by p.id\n) _q limit 10001");
    EXPECT_EQ(query.statement.types, (std::vector<std::string>{"date", "bigint"}));
    ASSERT_EQ(query.columns.size(), 4U);
    EXPECT_EQ(query.columns[0].type, svc::plan::ColumnType::text);
    EXPECT_EQ(query.columns[1].type, svc::plan::ColumnType::integer);
    EXPECT_EQ(query.columns[2].type, svc::plan::ColumnType::timestamp);
    EXPECT_EQ(query.columns[3].type, svc::plan::ColumnType::decimal);
    EXPECT_EQ(query.params[1].fallback, "5");
}

TEST_F(QueryProve, LeavesNothingBehind) {
    const char* const count = "select count(*) from pg_class where relname = 'product'";
    pqxx::connection connection(url());
    pqxx::work work(connection);
    const auto before = work.exec1(count)[0].as<int>();
    EXPECT_TRUE(proved("select title from product").plan);
    EXPECT_EQ(work.exec1(count)[0].as<int>(), before);
}

TEST_F(QueryProve, TellsEveryQueryAtItsPlace) {
    std::string text = contract("select titel from product");
    const std::string second = R"(, {"name": "two", "allow": "end_user", "sql": "select 1"},
        {"name": "three", "allow": "end_user", "sql": "select id from product where day = title"},
        {"name": "four", "allow": "end_user", "sql": "select id from product"}]})";
    text.replace(text.size() - 2, 2, second);
    const Checked checked = check(text, url());
    std::vector<std::string> codes;
    for (const auto& finding : checked.findings.all()) {
        if (finding.severity == svc::diag::Severity::error) codes.push_back(finding.code);
    }
    EXPECT_EQ(codes, (std::vector<std::string>{"UNKNOWN_FIELD", "QUERY_COLUMNS", "QUERY_INVALID"}));
    EXPECT_EQ(checked.findings.all()[0].path.find('#'), std::string::npos);
}

TEST_F(QueryProve, TakesOrdinarySql) {
    const std::string since = R"(, "params": {"since": {"type": "date"}})";
    for (const char* sql :
         {"select id, title from product where title ilike '%' || coalesce(:since::text, '') || "
          "'%'",
          "with recent as (select * from product where day > :since) select id from recent",
          "with recursive n as (select 1 as i union all select i + 1 from n where i < 5) "
          "select i from n where :since is null",
          "select p.title, sum(p.price) over (partition by p.day order by p.id) as running "
          "from product p where p.day = :since window w as (order by p.day)",
          "select date_trunc('month', created_at)::date as month, sum(price)::bigint as total, "
          "percentile_cont(0.5) within group (order by price) as median from product "
          "where day > :since group by 1 having count(*) > 1 order by 1 limit 10",
          "select e.key, e.value from product p, jsonb_each(p.extra) e where p.day = :since",
          "select l.label, l.ordinality from product p, unnest(p.labels) with ordinality l(label) "
          "where p.day = :since",
          "select g.g from generate_series(1, 3) g where :since is null",
          "select extract(year from day) as year, trim(both ' ' from title) as title, "
          "case when price > 1 then 'a' else 'b' end as class from product where day = :since",
          "select d.day, 'x'::text as x, '2026-01-01'::date as y from date d where d.day = :since",
          "select (to_jsonb(p) - 'extra') as row from product p where p.day = :since",
          "select title from product where day = :since union select 'none' order by title",
          "select id from product where labels @> array['tea'] and day = any (array[:since])"}) {
        const Checked checked = proved(sql, since);
        EXPECT_TRUE(checked.plan) << sql << "\n" << errors(checked);
    }
}

TEST_F(QueryProve, TakesOrdinaryWrites) {
    const std::string write = R"(, "mode": "write", "params": {"id": {"type": "uuid"}})";
    for (const char* sql :
         {"update product set price = price + 1 where id = :id returning id, price",
          "insert into product (title) select 'x' from product where id = :id",
          "insert into product (id, title) values (:id, 'x') on conflict (id) do update "
          "set title = excluded.title returning *",
          "delete from product p using date d where d.day = p.day and p.id = :id",
          "with gone as (select id from product where id = :id) delete from product "
          "where id in (select id from gone)"}) {
        const Checked checked = proved(sql, write);
        EXPECT_TRUE(checked.plan) << sql << "\n" << errors(checked);
    }
}

// Calls that the grammar does not show are found in PostgreSQL's resolved tree.
TEST_F(QueryProve, RefusesHiddenCalls) {
    for (const char* sql : {"select f.pg_read_file as line from unnest(array['/etc/passwd']) f",
                            "select s.pg_sleep::text as s from unnest(array[0.1::float8]) s",
                            "select p.pg_column_size as n from product p",
                            "select n.current_setting as n from unnest(array['role']) n"}) {
        EXPECT_NE(errors(proved(sql)).find("QUERY_FUNCTION"), std::string::npos) << sql;
    }
}

TEST_F(QueryProve, WritesNoComputedField) {
    const std::string text = R"json({"app": {"name": "Q"},
        "entities": [{"name": "a", "owner": "none", "access": {"read": "*"}, "fields": [
            {"name": "n", "type": "integer"},
            {"name": "twice", "type": "integer", "computed": "n * 2"}]}],
        "queries": [{"name": "w", "mode": "write", "allow": "end_user",
                     "sql": "insert into a (twice) values (1)"}]})json";
    EXPECT_NE(errors(check(text, url())).find("QUERY_INVALID"), std::string::npos);
}

TEST_F(QueryProve, TakesAHundredOfThem) {
    std::string entities, queries;
    for (int i = 0; i < 100; ++i) {
        const std::string n = std::to_string(i);
        entities += (i == 0 ? "" : ",") + std::string(R"({"name": "entity)") + n +
                    R"(", "owner": "none", "access": {"read": "*"}, "fields": [
                    {"name": "title", "type": "string"}, {"name": "price", "type": "money"}]})";
        queries += (i == 0 ? "" : ",") + std::string(R"({"name": "q)") + n +
                   R"(", "allow": "end_user", "sql": "select title from entity)" +
                   std::to_string(i % 10) + R"("})";
    }
    const Checked checked = check(
        R"({"app": {"name": "Q"}, "entities": [)" + entities + "], \"queries\": [" + queries + "]}",
        url());
    EXPECT_TRUE(checked.plan) << errors(checked);
}

TEST_F(QueryProve, ReadsOnBesideOtherMistakes) {
    std::string text = contract("select pg_sleep(1) as s");
    text.replace(text.find("\"tags\""), 6, "\"tag\"");
    const std::string described = errors(check(text, url()));
    EXPECT_NE(described.find("UNKNOWN_VALUE"), std::string::npos) << described;
    EXPECT_NE(described.find("QUERY_FUNCTION"), std::string::npos) << described;
}

TEST(QueryAllowed, IsSortedOut) {
    EXPECT_TRUE(svc::sql::is_computing("lower"));
    EXPECT_FALSE(svc::sql::is_computing("random"));
    EXPECT_FALSE(svc::sql::is_computing(""));
    EXPECT_FALSE(svc::sql::is_type("regclass"));
}

// Every overload of every function on the list only computes, and there is one.
TEST_F(QueryProve, AllowsOnlyWhatComputes) {
    pqxx::connection connection(url());
    pqxx::work work(connection);
    for (const std::string& name : svc::query::functions()) {
        const auto row = work.exec_params1(
            "select count(*), count(*) filter (where provolatile = 'v' or prosecdef) from pg_proc "
            "where proname = $1 and pronamespace = 'pg_catalog'::regnamespace",
            name);
        EXPECT_GT(row[0].as<int>(), 0) << name;
        EXPECT_EQ(row[1].as<int>(), 0) << name;
    }
}

TEST(QueryProveWithout, WarnsOnce) {
    const Checked checked = check(contract("select title from product"));
    ASSERT_TRUE(checked.plan);
    int warned = 0;
    for (const auto& finding : checked.findings.all()) {
        if (finding.code == "QUERIES_NOT_PROVED") ++warned;
    }
    EXPECT_EQ(warned, 1);
}

TEST(QueryProveWithout, StillReadsTheGrammar) {
    EXPECT_NE(errors(check(contract("select pg_sleep(1) as s"))).find("QUERY_FUNCTION"),
              std::string::npos);
}

TEST_F(QueryProve, TellsEveryUnknownColumnAtItsPlace) {
    const auto count = [](const std::string& sql) {
        std::size_t out = 0;
        const Checked checked = proved(sql);
        for (const auto& finding : checked.findings.all()) {
            EXPECT_EQ(finding.code, "UNKNOWN_FIELD") << finding.message;
            ++out;
        }
        return out;
    };
    EXPECT_EQ(count("select titel, prce from product where stok > 1"), 3U);
    EXPECT_EQ(count("select sum(prce) as s from product p where p . stok > 1"), 2U);
    EXPECT_EQ(count("select upper(p.\\\"titel\\\") as t, labels from product p where nix"), 2U);
    // What an inner select misses is not missing once more outside.
    EXPECT_EQ(count("select x.titel, x.nix from (select titel, price from product) x "
                    "order by x.titel"),
              2U);
    EXPECT_EQ(count("with a as (select titel from product) select titel from a"), 1U);
    std::string many;
    for (int i = 0; i < 30; ++i) many += (many.empty() ? "no" : ", no") + std::to_string(i);
    EXPECT_EQ(count("select " + many + " from product"), 20U);
}

constexpr const char* kBesideMistakes = R"json({"app": {"name": "Q", "timezone": "Nowhere"},
"personas": [{"id": "p", "kind": "consumer"}],
"entities": [
  {"name": "product", "owner": "none", "access": {"read": "nobody"},
    "fields": [{"name": "title", "type": "string", "pattern": "x{2,1}"}]},
  {"name": "order", "owner": "none", "access": {"read": "*"}, "fields": [
    {"name": "note", "type": "txt"}]}],
"queries": [
  {"name": "a", "allow": ["end_user"], "sql": "select titel, nix from product"},
  {"name": "b", "allow": ["end_user"], "sql": "select nix from \"order\""},
  {"name": "c", "allow": ["end_user"], "sql": "select o.note, p.nix from \"order\" o, product p"},
  {"name": "d", "allow": ["end_user"], "sql": "select 1 from product"}]})json";

TEST_F(QueryProve, MistakesElsewhereHideNoneOfSoundEntities) {
    std::vector<std::string> found;
    const Checked checked = check(kBesideMistakes, url());
    for (const auto& finding : checked.findings.all()) {
        found.push_back(std::to_string(finding.line) + " " + finding.code);
    }
    EXPECT_EQ(found,
              (std::vector<std::string>{"1 UNKNOWN_TIMEZONE", "4 UNKNOWN_PRINCIPAL",
                                        "5 BAD_PATTERN", "7 UNKNOWN_VALUE", "9 UNKNOWN_FIELD",
                                        "9 UNKNOWN_FIELD", "12 QUERY_COLUMNS"}));
    // Without that PostgreSQL all other findings are reported.
    EXPECT_EQ(check(kBesideMistakes, "postgresql://127.0.0.1:1/none").findings.all().size(), 3U);
}

}  // namespace
