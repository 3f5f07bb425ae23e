#include "cli/terminal.hpp"

#include <gtest/gtest.h>

namespace svc::cli {
namespace {

TEST(CliTerminal, MakesControlCharactersVisible) {
    EXPECT_EQ(printable("a\x1b[31m\n"), "a\\x1b[31m\\n");
    EXPECT_EQ(printable("a\n\tb\r", true), "a\n\tb\\x0d");
    EXPECT_EQ(printable("\xc2\x9b"
                        "x"),
              "\\x9bx");
    EXPECT_EQ(printable("é漢"), "é漢");
    EXPECT_EQ(shown_width("é漢"), 3U);
    EXPECT_EQ(fitted("abcdef", 4), "abc…");
}

}  // namespace
}  // namespace svc::cli
