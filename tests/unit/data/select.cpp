// select=: columns, and linked rows, each in the form of a row of a list.
#include "unit/data/select.hpp"
#include "data/select/selection.hpp"

namespace svc::data {
namespace {

TEST_F(DataSelect, KeepsTheOrderOfWhatIsSelected) {
    make(1, "title, price", "'Tea', 650");
    EXPECT_EQ(ask(kClerk, "select=price,id,title"), 200) << body;
    EXPECT_EQ(rows(), R"({"price":650,"id":")" + id(1) + R"(","title":"Tea"})");
    EXPECT_TRUE(says(R"("fields":[{"name":"price","type":"20"},{"name":"id","type":"2950"},)"
                     R"({"name":"title","type":"25"}],"truncated":false})"))
        << body;
    EXPECT_EQ(ask(kClerk, "select=title", id(1)), 200) << body;
    EXPECT_EQ(rows(), R"({"title":"Tea"})");
    EXPECT_EQ(ask(kClerk, "select=title", id(2)), 200) << body;
    EXPECT_EQ(rows(), "");
}

TEST_F(DataSelect, ShowsOneManyAndNone) {
    make(1, "title", "'root'");
    below(2, 1);
    below(3, 1);
    EXPECT_EQ(ask(kClerk, "select=below(id),above(title)", id(1)), 200) << body;
    EXPECT_EQ(rows(),
              R"({"below":[{"id":")" + id(2) + R"("},{"id":")" + id(3) + R"("}],"above":null})");
    EXPECT_EQ(ask(kClerk, "select=above(title,above(id)),below(id)", id(2)), 200) << body;
    EXPECT_EQ(rows(), R"({"above":{"title":"root","above":null},"below":[]})");
    EXPECT_EQ(ask(kClerk, "select=above(below(above(below(id))))", id(2)), 200) << body;
    EXPECT_TRUE(says(R"({"above":{"below":[{"above":{"below":[{"id":)")) << body;
}

// Rows that policies hide are also missing among linked rows.
TEST_F(DataSelect, EachHopIsUnderItsPolicy) {
    make(1, "kind", "'hidden'");
    below(2, 1);
    below(3, 2, "'hidden'");
    below(4, 2);
    EXPECT_EQ(ask(kClerk, "select=above_id,above(id),below(id)", id(2)), 200) << body;
    EXPECT_EQ(rows(), R"({"above_id":")" + id(1) + R"(","above":null,"below":[{"id":")" + id(4) +
                          R"("}]})");
}

// A row by itself and the same row as a linked one are the same bytes.
TEST_F(DataSelect, FormsAreThoseOfAList) {
    make(1, "title", "'root'");
    const std::vector<std::vector<std::string>> values = {
        {"title", R"(E'quote " back \\ tab \t nl \n \x01 \x7f é 漢 </script>')", "''"},
        {"whole", "9223372036854775807", "-9223372036854775808"},
        {"exact", "123456789012345678901234567890.100", "'NaN'", "1e-30", "'Infinity'"},
        {"rough", "0.1", "'NaN'", "'-Infinity'", "1e300", "-0.0", "1e21", "123456789.125"},
        {"price", "9007199254740993", "-1"},
        {"yes", "true", "false"},
        {"day", "'2024-02-29'", "'infinity'", "'0044-03-15 BC'", "'10000-01-01'"},
        {"clock", "'13:37:00.5'", "'24:00'", "'00:00:00.000001'"},
        {"moment", "'2026-11-21 02:00:32.5+02'", "'infinity'", "'0044-03-15 12:00:00 BC'",
         "'1969-12-31 23:59:59.999999Z'", "'12026-01-01 00:00:00+00'"},
        {"tags", "'{}'", R"(array['a','b c','"','\','{x}',null,'null','', E'\n'])"},
        {"extra", "'null'", "'{\"k\": [1.50, {\"a\": \"]}\\\\\\\"\"}]}'", "'\"text, \\\"x\\\"\"'",
         "'[]'", "'1e2'"}};
    int number = 2;
    for (const auto& column : values) {
        for (std::size_t i = 1; i < column.size(); ++i) {
            make(number++, "above_id, " + column[0], "'" + id(1) + "', " + column[i]);
        }
    }
    EXPECT_EQ(ask(kManager, "select=below(*)", id(1)), 200) << body;
    const std::string behind = rows();
    EXPECT_EQ(ask(kManager, "filter=[{\"field\":\"above_id\",\"op\":\"is_not_null\"}]"), 200);
    EXPECT_EQ(behind, R"({"below":[)" + rows() + "]}");
    EXPECT_EQ(ask(kManager, "select=*&filter=[{\"field\":\"above_id\",\"op\":\"is_not_null\"}]"),
              200);
    EXPECT_EQ(behind, R"({"below":[)" + rows() + "]}");
    EXPECT_GT(number, 30);
}

TEST_F(DataSelect, SaysWhereALinkHasMore) {
    make(1, "", "");
    database->sql(
        "insert into thing (id, above_id) select ('00000000-0000-7000-8001-' ||"
        " lpad(n::text, 12, '0'))::uuid, '" +
        id(1) + "' from generate_series(1, 101) n");
    const auto shown = [this] {
        std::size_t count = 0;
        for (auto at = body.find("8001-"); at != std::string::npos;
             at = body.find("8001-", at + 1)) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(ask(kClerk, "select=below(id)", id(1)), 200);
    EXPECT_EQ(shown(), 100U);
    EXPECT_TRUE(says(R"(,"truncated":false,"linksTruncated":true})")) << body;
    // A deeper link reports it as well.
    EXPECT_EQ(ask(kClerk, "select=above(below(id))", "00000000-0000-7000-8001-000000000001"), 200);
    EXPECT_EQ(shown(), 100U);
    EXPECT_TRUE(says(R"("linksTruncated":true)")) << body;
    database->sql("delete from thing where id = '00000000-0000-7000-8001-000000000101'");
    EXPECT_EQ(ask(kClerk, "select=below(id)", id(1)), 200);
    EXPECT_EQ(shown(), 100U);
    EXPECT_FALSE(says("linksTruncated")) << body;
}

TEST_F(DataSelect, GoesWithFilterSortAndPage) {
    make(1, "title", "'a'");
    make(2, "title, above_id", "'b', '" + id(1) + "'");
    make(3, "title, above_id", "'c', '" + id(1) + "'");
    EXPECT_EQ(ask(kClerk,
                  "select=title,above(title)&filter=[{\"field\":\"above_id\",\"op\":"
                  "\"is_not_null\"}]&sort={\"field\":\"title\",\"dir\":\"desc\"}&limit=1"),
              200)
        << body;
    EXPECT_EQ(rows(), R"({"title":"c","above":{"title":"a"}})");
    EXPECT_TRUE(says(R"("truncated":true)")) << body;
    EXPECT_EQ(ask(kClerk, "select=above_id&sort={\"field\":\"title\"}&limit=1&offset=2"), 200);
    EXPECT_EQ(rows(), R"({"above_id":")" + id(1) + R"("})");
}

// The cursor's columns of the last row need not be selected.
TEST_F(DataSelect, GoesWithCursors) {
    make(1, "title", "'root'");
    for (const int number : {2, 3, 4}) below(number, 1);
    database->sql("update thing set title = 'x' || id, whole = 10 - right(id::text, 1)::bigint");
    for (const char* field : {"whole", "above_id.title"}) {
        const std::string query = "select=above(id),id&limit=2&where={\"above_id\":\"" + id(1) +
                                  "\"}&sort={\"field\":\"" + field + "\",\"dir\":\"desc\"}&cursor=";
        const bool ascending = std::string(field) == "whole";
        const std::string row = R"({"above":{"id":")" + id(1) + R"("},"id":")";
        EXPECT_EQ(ask(kClerk, query), 200) << body;
        EXPECT_EQ(rows(), row + id(ascending ? 2 : 4) + "\"}," + row + id(3) + "\"}") << field;
        const auto at = body.find("\"nextCursor\":\"") + 14;
        const std::string next = body.substr(at, body.find('"', at) - at);
        EXPECT_EQ(ask(kClerk, query + next), 200) << body;
        EXPECT_EQ(rows(), row + id(ascending ? 4 : 2) + "\"}") << field;
        EXPECT_TRUE(says(R"("nextCursor":null,"hasMore":false)")) << body;
    }
}

// A field that the caller may not read is unknown, and so is a link that would show one.
TEST_F(DataSelect, WhatIsHiddenIsUnknown) {
    const auto code = [this](const Caller& who, const std::string& select) {
        const int status = ask(who, "select=" + select);
        const auto at = body.find("\"code\":\"");
        return std::to_string(status) + ' ' +
               (at == std::string::npos ? ""
                                        : body.substr(at + 8, body.find('"', at + 8) - at - 8));
    };
    for (const char* select : {"secret", "below(secret)", "secret_id(id)", "secrets(id)", "nope",
                               "nope(id)", "title(id)", "below", "Title", "id;drop table thing"}) {
        const std::string answer = code(kClerk, select);
        EXPECT_TRUE(answer == "400 42703" || answer == "400 PARAMS_INVALID") << select << answer;
    }
    EXPECT_EQ(code(kClerk, "secret_id(id)"), "400 42703");
    EXPECT_EQ(code(kClerk, "below(secret)"), "400 42703");
    EXPECT_EQ(code(kManager, "secret,secret_id(id),secrets(id)"), "200 ");
    EXPECT_EQ(code(kManager, "vault(id)"), "403 TABLE_FORBIDDEN");
    EXPECT_EQ(code(kClerk, "below"), "400 42703");
    EXPECT_TRUE(says("Select the linked rows as below(id).")) << body;
    EXPECT_EQ(code(kClerk, "*"), "200 ");
    EXPECT_FALSE(says("secret")) << body;
}

std::string refusal(const std::string& select) {
    const auto out = select::read_selection(test::kThing, kClerk.principals, select, 50);
    return out ? "" : out.error().message;
}

TEST(DataSelection, RefusesWhatIsMalformed) {
    for (const char* select :
         {"",           ",",           "id,",      ",id",           "(",
          ")",          "id)",         "below(",   "below()",       "below(id",
          "below(id))", "below((id))", "id title", "id,,title",     "*(id)",
          "é",          "below(id",    "below(,)", "\"id\"",        "below.id",
          "id:alias",   ":below(id)",  "a:(id)",   "a:b:below(id)", "A:below(id)"}) {
        EXPECT_FALSE(refusal(select).empty()) << select;
    }
    EXPECT_EQ(refusal("id,below(id)x"),
              "select: a comma is missing at byte 13. select takes names with commas between them, "
              "and linked rows as lines(id).");
    EXPECT_EQ(refusal("id,title,id"), "select names id twice.");
    EXPECT_EQ(refusal("*,id"), "select names id twice.");
    EXPECT_EQ(refusal("above_id,above_id(id)"), "select names above_id twice.");
    EXPECT_EQ(refusal("above(id),above(title)"), "select names above twice.");
    EXPECT_EQ(refusal(" id , below ( id , above(id) ) "), "");
}

TEST(DataSelection, IsBounded) {
    EXPECT_EQ(refusal("below(below(below(below(id))))"), "");
    EXPECT_EQ(refusal("below(below(below(below(below(id)))))"),
              "select may be at most 4 links deep.");
    EXPECT_EQ(
        refusal("above(above(id),below(id)),above_id(above(id),below(id)),below(above(above_id("
                "id),above(id),below(id)),above_id(above_id(id),above(id),below(id)),below("
                "above_id(id),above(id),below(id)))"),
        "select may have at most 16 links.");
    std::string nested, names;
    for (int i = 0; i < 100000; ++i) nested += "below(";
    EXPECT_EQ(refusal(nested), "select may be at most 4 links deep.");
    for (int i = 0; i < 50000; ++i) names += "id,";
    EXPECT_EQ(refusal(names), "select names id twice.");
    EXPECT_LT(refusal(std::string(100000, 'x')).size(), 200U);
    EXPECT_LT(refusal(std::string(100000, '(')).size(), 200U);
    EXPECT_LT(refusal(std::string(100000, ' ')).size(), 200U);
}

// The more rows an answer has, the fewer rows each link of each of them shows.
TEST(DataSelection, SharesTheRowsOfAnAnswer) {
    const auto most = [](std::size_t rows) {
        const auto out = select::read_selection(test::kThing, kClerk.principals,
                                                "below(below(below(id)))", rows);
        const select::Selected& one = out->front();
        const select::Selected& two = one.members.front();
        return std::vector{one.most, two.most, two.members.front().most};
    };
    EXPECT_EQ(most(1), (std::vector<std::size_t>{100, 100, 5}));
    EXPECT_EQ(most(50), (std::vector<std::size_t>{100, 10, 1}));
    EXPECT_EQ(most(500), (std::vector<std::size_t>{100, 1, 1}));
}

}  // namespace
}  // namespace svc::data
