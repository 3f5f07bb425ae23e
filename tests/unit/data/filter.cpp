#include <gtest/gtest.h>

#include "data/list/list_query.hpp"
#include "unit/data/entity.hpp"

namespace svc::data {
namespace {

Result<list::ListQuery> read(const std::string& query, PrincipalSet caller = test::kClerk) {
    const Visible visible = visible_columns(test::kItem, caller);
    static const identity::Signer signer("a secret", "cursor");
    static const Caller guest;
    return list::read_list_query(test::kItem, visible.columns, test::kItemApp, query,
                                 list::Cursors(signer, guest));
}

// The SQL between "where" and "order by", and the values.
std::string condition(const std::string& filter) {
    const auto list = read("filter=" + filter);
    if (!list) return list.error().sqlstate + ' ' + list.error().message;
    const std::string& sql = list->text.sql;
    const auto from = sql.find("\nwhere "), to = sql.find("\norder by");
    std::string out = from == std::string::npos ? "" : sql.substr(from + 7, to - from - 7);
    for (const std::string& value : list->text.values) out += " | " + value;
    return out;
}

TEST(DataFilter, ReadsThePage) {
    EXPECT_EQ(read("")->limit, 50u);
    EXPECT_TRUE(read("")->text.sql.ends_with("order by \"id\" asc\nlimit 51"));
    EXPECT_TRUE(read("")->text.values.empty());
    EXPECT_EQ(read("limit=7")->limit, 7u);
    EXPECT_EQ(read("limit=99999999999999999999999")->limit, 500u);
    EXPECT_TRUE(read("limit=7&offset=1")->text.sql.ends_with("limit 8 offset $1"));
    for (const char* wrong :
         {"limit=0", "limit=-1", "limit=x", "limit=", "limit=1.5", "offset=-1", "offset=x",
          "cursor=x", "tz=Nowhere", "count=all", "where=[1]", "where={", "filter={}", "filter=[1]",
          "sort=[1]", "sort={}", R"(sort={"field":"title","dir":"up"})"}) {
        const auto list = read(wrong);
        ASSERT_FALSE(list) << wrong;
        EXPECT_EQ(list.error().code, Code::params_invalid) << wrong;
        EXPECT_EQ(list.error().sqlstate, "") << wrong;
    }
}

TEST(DataFilter, SortsWithTheIdAsTieBreaker) {
    const auto sorted = read(R"(sort={"field":"price","dir":"desc"})");
    EXPECT_NE(sorted->text.sql.find("order by \"price\" desc, \"id\" desc"), std::string::npos);
    const auto by_id = read(R"(sort={"field":"id"})");
    EXPECT_NE(by_id->text.sql.find("order by \"id\" asc\n"), std::string::npos);
}

TEST(DataFilter, KnowsOnlyReadableColumns) {
    for (const char* query :
         {R"(where={"cost":1})", R"(where={"nothing":1})", R"(sort={"field":"cost"})",
          R"(filter=[{"field":"cost","op":"is_null"}])", R"(where={"id\" or 1=1 --":1})"}) {
        const auto list = read(query);
        ASSERT_FALSE(list) << query;
        EXPECT_EQ(list.error().sqlstate, "42703") << query;
        EXPECT_NE(list.error().field, "") << query;
    }
    EXPECT_TRUE(read(R"(where={"cost":1})", test::kManager));
}

TEST(DataFilter, WhereIsEquality) {
    const auto list = read(R"(where={"title":"a","price":null})");
    EXPECT_NE(list->text.sql.find(R"(where "title" = $1 and "price" is null)"), std::string::npos);
    EXPECT_EQ(list->text.values[0], "a");
    const auto wrong = read(R"(where={"price":"abc"})");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().sqlstate, "22P02");
    EXPECT_EQ(wrong.error().field, "price");
}

TEST(DataFilter, TranslatesOperators) {
    EXPECT_EQ(condition(R"([{"field":"price","op":"gte","value":5}])"), R"(("price" >= $1) | 5)");
    EXPECT_EQ(condition(R"([{"field":"price","op":"neq","value":5}])"),
              R"((("price" = $1) is not true) | 5)");
    EXPECT_EQ(condition(R"([{"field":"price","op":"in","value":[1,2,null]}])"),
              R"((("price" is null or "price" in ($1, $2))) | 1 | 2)");
    EXPECT_EQ(condition(R"([{"field":"price","op":"in","value":[]}])"), "(false)");
    EXPECT_EQ(condition(R"([{"field":"title","op":"contains","value":"5%25_\\"}])"),
              R"(("title" ilike $1) | %5\%\_\\%)");
    EXPECT_EQ(condition(R"([{"field":"tags","op":"contains","value":"a"}])"),
              R"(("tags" @> array[$1]) | a)");
    EXPECT_EQ(condition(R"([{"field":"price","op":"between","value":[1,2]}])"),
              R"((("price" >= $1 and "price" <= $2)) | 1 | 2)");
    EXPECT_EQ(condition(R"([{"or":[{"field":"price","op":"lt","value":1},)"
                        R"({"not":{"field":"title","op":"is_null"}}]}])"),
              R"((("price" < $1) or (("title" is null) is not true)) | 1)");
}

TEST(DataFilter, RefusesWhatDoesNotFit) {
    for (const char* wrong : {
             R"([{"field":"price","op":"near","value":5}])",
             R"([{"field":"price","op":"in","value":5}])",
             R"([{"field":"price","op":"contains","value":"5"}])",
             R"([{"field":"price","op":"between","value":[1]}])",
             R"([{"field":"price","op":"today"}])",
             R"([{"field":"day","op":"last_n_days","value":-1}])",
             R"([{"field":"day","op":"range","value":"last_decade"}])",
             R"([{"field":"price","op":"lt"}])",
             R"([{"field":"price","value":1}])",
             R"([{"field":"price","op":"eq","value":1,"or":[]}])",
         }) {
        const auto list = read(std::string("filter=") + wrong);
        ASSERT_FALSE(list) << wrong;
        EXPECT_EQ(list.error().code, Code::params_invalid);
        EXPECT_EQ(list.error().sqlstate, "") << wrong;
    }
}

}  // namespace
}  // namespace svc::data
