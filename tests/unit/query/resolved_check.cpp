// Developers' SQL: what its tree may be made of, and what PostgreSQL made of it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "query/batch/batch.hpp"
#include "query/batch/batch_proof.hpp"
#include "query/scratch/node_tree.hpp"
#include "query/scratch/resolved_check.hpp"
#include "sql/allowed.hpp"

namespace svc::query {
namespace {

using What = Resolved::What;

std::string described(const std::vector<Resolved>& found) {
    std::string out;
    for (const Resolved& each : found) {
        if (each.what == What::node) continue;
        const char* const names[] = {"function", "cast", "op", "type", "column", "relation"};
        out += (out.empty() ? "" : " ") + std::string(names[static_cast<int>(each.what)]) + ":" +
               std::to_string(each.id) + "@" + std::to_string(each.at);
    }
    return out;
}

TEST(NodeTree, TellsWhatWasResolvedAndWhere) {
    const auto found = read_node_tree(
        R"(({QUERY :commandType 1 :rtable ({RANGETBLENTRY :relid 16384 :coltypes (o 23 25)}) )"
        R"(:targetList ({TARGETENTRY :expr {FUNCEXPR :funcid 5 :funcresulttype 25 :funcformat 0 )"
        R"(:args ({CONST :consttype 25 :location -1 :constvalue 5 [ 20 0 0 0 -97 ]} )"
        R"({FUNCEXPR :funcid 6 :funcresulttype 20 :funcformat 2 :args ({VAR :vartype 26 :location 9}) )"
        R"(:location -1}) :location 7} :resname :funcid}) :sortClause ({SORTGROUPCLAUSE :eqop 98})}))");
    ASSERT_TRUE(found);
    EXPECT_EQ(described(*found),
              "relation:16384@-1 type:23@-1 type:25@-1 function:5@7 type:25@7 type:25@7 cast:6@7 "
              "type:20@7 column:26@9 op:98@-1");
}

// A name is what somebody wrote: it must not read as a part of the tree.
TEST(NodeTree, TakesNamesForNames) {
    const auto hidden = read_node_tree(
        R"({ALIAS :aliasname \{FUNCEXPR\ :funcid\ 5\} :colnames ("a\ b" "\(" "\\" "")})");
    ASSERT_TRUE(hidden);
    EXPECT_EQ(described(*hidden), "");
}

TEST(NodeTree, RefusesWhatIsNoTree) {
    for (const char* text : {"", "(", "{", "{A", "{A :b}", "{A b}", "{A :b c", "(a))", "{A :b (}",
                             "{A :constvalue 4 [ 1 2}", "a b"})
        EXPECT_FALSE(read_node_tree(text)) << text;
    EXPECT_FALSE(read_node_tree(std::string(100000, '(')));
}

TEST(QueryBatch, FindsWhatIsExplained) {
    const Batch batch = read_batch(
        "explain (costs off, format json) (select 1); explain analyze verbose\nselect 2; show all; "
        "explain -- select 3\nselect 3");
    ASSERT_EQ(batch.refused, "");
    ASSERT_EQ(batch.statements.size(), 4U);
    const auto rows = [&](std::size_t i) {
        return batch.statements[i].text.substr(batch.statements[i].rows_from);
    };
    EXPECT_EQ(rows(0), "(select 1)");
    EXPECT_EQ(rows(1), "select 2");
    EXPECT_EQ(batch.statements[2].rows_from, std::string::npos);
    EXPECT_EQ(rows(3), "select 3");
}

TEST(SqlAllowed, KnowsWholeWordsAlone) {
    EXPECT_TRUE(sql::is_bounded("abs"));
    EXPECT_TRUE(sql::is_bounded("width_bucket"));
    for (const char* word : {"", " ", "ab", "bs", "abs age", " abs ", "ABS", "generate_series"})
        EXPECT_FALSE(sql::is_bounded(word)) << word;
    for (const char* type : {"regclass", "_text", "oid", "name", "aclitem", "char", "xml"})
        EXPECT_FALSE(sql::is_type(type)) << type;
    for (const char* symbol : {"=", "->>", "!~~*", "@>"}) EXPECT_TRUE(sql::is_operator(symbol));
    EXPECT_FALSE(sql::is_operator("===") || sql::is_operator("- -"));
}

// Attribute notation, and values that take their type from what stands beside them.
TEST(QueryBatch, IsHeldByWhatPostgresqlMadeOfIt) {
    const char* url = std::getenv("SVC_TEST_DATABASE_URL");
    if (!url) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const auto refused = [&](const std::string& text) {
        const Batch batch = read_batch(text);
        if (!batch.refused.empty()) return "read: " + batch.refused;
        const auto found = prove_batch(url, batch);
        return found ? found->message + " @" + std::to_string(found->position) : std::string();
    };
    EXPECT_NE(refused("select 'é', (0.1::float8).pg_sleep").find("pg_sleep"), std::string::npos);
    EXPECT_NE(refused("select ('select 1'::text).ts_stat").find("ts_stat"), std::string::npos);
    EXPECT_NE(refused("select relacl from pg_class").find("aclitem"), std::string::npos);
    EXPECT_NE(refused("select c from pg_class c").find("pg_class"), std::string::npos);
    EXPECT_NE(refused("select coalesce(null, 10::regrole)").find("regrole"), std::string::npos);
    for (const char* fine :
         {"select 1", "select nextval(s.oid) from pg_class s where relkind = 'S'",
          "select upper(relname) from pg_class where oid = 1259 order by relname desc",
          "with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) "
          "search depth first by n set o select n from t",
          "select sum(n) over w, rank() over w from generate_series(1, 3) n window w as (order by "
          "n)",
          "select xmin, ctid from pg_type", "explain (costs off) select 1"})
        EXPECT_EQ(refused(fine), "") << fine;
}

// Every overload of what developers may call beside the others is PostgreSQL's own.
TEST(QueryBatch, KeepsItsListsApart) {
    EXPECT_TRUE(is_developers("pg_catalog", "nextval"));
    EXPECT_FALSE(is_developers("pg_catalog", "set_config"));
    EXPECT_FALSE(is_developers("public", "nextval"));
    EXPECT_TRUE(is_developers("svc", "order_transition"));
    EXPECT_FALSE(is_developers("svc", "claim_key"));
    EXPECT_TRUE(is_read_catalogue("pg_class"));
    EXPECT_FALSE(is_read_catalogue("pg_database"));
}

}  // namespace
}  // namespace svc::query
