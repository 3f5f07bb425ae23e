// Reading an author's SQL: parameters, edits, places.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/read/edited.hpp"
#include "query/read/scan.hpp"
#include "sql/grammar.hpp"

namespace {

using svc::query::Edited;
using svc::query::scan;
using svc::sql::byte_of;
using svc::sql::parse_sql;
using svc::sql::SyntaxError;

std::string found(std::string_view sql) {
    std::string out;
    for (const auto& one : scan(sql).placeholders)
        out += one.name + "@" + std::to_string(one.at) + " ";
    return out;
}

TEST(QueryScan, FindsParameters) {
    EXPECT_EQ(found("select :a"), "a@7 ");
    EXPECT_EQ(found(":a+:b_2 (:c)"), "a@0 b_2@3 c@9 ");
    EXPECT_EQ(found("x=:a::date"), "a@2 ");
    EXPECT_EQ(found(":A$é"), "A$é@0 ");
}

TEST(QueryScan, LeavesTextsCommentsAndCastsAlone) {
    EXPECT_EQ(found("'a :x' || ':y''' || 'it''s :z' :a"), "a@31 ");
    EXPECT_EQ(found("\"col:x\" :a"), "a@8 ");
    EXPECT_EQ(found("E'\\':x' :a"), "a@8 ");
    EXPECT_EQ(found("'\\' :a ':x'"), "a@4 ");  // a backslash means nothing in it
    EXPECT_EQ(found("date'\\' :a"), "a@8 ");   // nor after a name that ends in e
    EXPECT_EQ(found("-- :x\n:a -- :y"), "a@6 ");
    EXPECT_EQ(found("/* :x /* :y */ :z */ :a"), "a@21 ");
    EXPECT_EQ(found("$$ :x $$ :a"), "a@9 ");
    EXPECT_EQ(found("$t$ :x $$ :y $t$ :a"), "a@17 ");
    EXPECT_EQ(found("a$t$ :a $t$"), "a@5 ");  // a name, no quote
    EXPECT_EQ(found("$1 :a"), "a@3 ");
    EXPECT_EQ(found("x::date a:=1 b[1:2]"), "");
}

TEST(QueryScan, EndsWithWhatIsOpen) {
    for (const char* open : {"'", "\"", "E'\\", "/*", "/* /* */", "$$ :x", "$t$", "$", ":", "--"}) {
        EXPECT_EQ(found(open), "") << open;
    }
}

TEST(QueryEdited, KnowsWhereEachByteStood) {
    const Edited text("a :bc d :e", {{8, 2, "$2"}, {2, 3, "$1"}, {6, 0, "public."}});
    EXPECT_EQ(text.text(), "a $1 public.d $2");
    EXPECT_EQ(text.to_source(0), 0U);
    EXPECT_EQ(text.to_source(2), 2U);
    EXPECT_EQ(text.to_source(3), 2U);
    EXPECT_EQ(text.to_source(4), 5U);
    EXPECT_EQ(text.to_source(8), 6U);   // in the new text
    EXPECT_EQ(text.to_source(12), 6U);  // d
    EXPECT_EQ(text.to_source(13), 7U);
    EXPECT_EQ(text.to_source(14), 8U);
    EXPECT_EQ(text.to_source(16), 10U);
}

TEST(QueryEdited, CutsBothEnds) {
    const Edited text(" ; a; ", {{0, 3, ""}, {4, 2, ""}});
    EXPECT_EQ(text.text(), "a");
    EXPECT_EQ(text.to_source(0), 3U);
}

TEST(QueryGrammar, CountsPlacesInBytes) {
    SyntaxError error;
    EXPECT_FALSE(parse_sql("select 'é' fro m", error));
    EXPECT_EQ(error.at, 16U);
    EXPECT_EQ(error.message, "syntax error at or near \"m\"");
    EXPECT_EQ(byte_of("é🍵x", 3), 6U);
    EXPECT_EQ(byte_of("ab", 9), 2U);
}

// The longest that may reach the grammar, nested as deep as it goes.
TEST(QueryGrammar, SurvivesDepth) {
    const auto repeated = [](const std::string& part, const std::string& end) {
        std::string out = "select ";
        while (out.size() + part.size() < 16384) out += part;
        return out + end;
    };
    SyntaxError error;
    for (const char* part : {"(", "1+", "not ", "- ", "(select ", "coalesce(", "case when ", "a.",
                             "a[", "x::y::", "array[", "exists (select from ", "a or b and "}) {
        parse_sql(repeated(part, "1"), error);
    }
}

}  // namespace
