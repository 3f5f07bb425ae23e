// Long lines of SQL that is printed for readers.
#include "emit/sql_lines.hpp"

#include <gtest/gtest.h>

namespace svc::emit {
namespace {

const std::string kLong(60, 'x');

// The text without blanks: what must stay.
std::string squeezed(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

TEST(EmitSqlLines, BreaksOutsideOfParentheses) {
    const std::string inner = "(a and b or " + kLong + ", c and d)";
    EXPECT_EQ(sql_lines("  select " + inner + " from t where " + inner),
              "  select " + inner + " from t\n      where " + inner);
}

TEST(EmitSqlLines, KeepsShortLinesAndQuotedText) {
    EXPECT_EQ(sql_lines("select 1\nfrom t and u"), "select 1\nfrom t and u");
    const std::string quoted = "select '" + kLong + " and " + kLong + ", " + kLong + "'";
    EXPECT_EQ(sql_lines(quoted), quoted);
    const std::string over_lines = "select '\n" + kLong + " and " + kLong + ", " + kLong + "'";
    EXPECT_EQ(sql_lines(over_lines), over_lines);
    const std::string comment = "select 1 -- " + kLong + " and " + kLong;
    EXPECT_EQ(sql_lines(comment), comment);
}

TEST(EmitSqlLines, KeepsBetweenTogether) {
    const std::string sql =
        "select " + kLong + " from t where d and " + kLong + " between 1 and 2 order by e";
    EXPECT_EQ(sql_lines(sql), "select " + kLong + " from t where d\n    and " + kLong +
                                  " between 1 and 2 order by e");
}

TEST(EmitSqlLines, LeavesAloneWhatItCannotRead) {
    for (const std::string mark : {"$$it's$$", "E'\\''", "/* ' */"}) {
        const std::string body = mark + " " + kLong + " and " + kLong + " or " + mark + "$a$ $a$";
        EXPECT_EQ(sql_lines(body), body);
    }
}

// A query of a contract may have a value in dollar quotes.
TEST(EmitSqlLines, LeavesValuesInDollarQuotesAlone) {
    for (const std::string tag : {"$$", "$text$"}) {
        const std::string sql =
            "select " + tag + kLong + ", " + kLong + " and " + kLong + tag + " as words";
        EXPECT_EQ(sql_lines(sql), sql);
    }
}

TEST(EmitSqlLines, ChangesBlanksAlone) {
    const std::string sql = "create function f() as $svc$\nselect " + kLong +
                            ", 'a  b', \"c \"\" d\", (" + kLong + " or e), $1 || $2 from t\n$svc$";
    const std::string out = sql_lines(sql);
    EXPECT_NE(out, sql);
    EXPECT_EQ(squeezed(out), squeezed(sql));
}

}  // namespace
}  // namespace svc::emit
