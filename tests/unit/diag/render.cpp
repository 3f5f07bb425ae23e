#include <gtest/gtest.h>

#include <string>

#include "diag/finding.hpp"

namespace {

using svc::diag::Finding;
using svc::diag::render;
using svc::diag::Severity;

Finding at(int line, int column) {
    return {Severity::error, "BAD", "/a", line, column, "Wrong.", "fix it"};
}

TEST(DiagRender, ShowsPlaceLineCaretAndFix) {
    EXPECT_EQ(render(at(2, 6), "svc.json", "{\n  \"a\": 1\n}\n", false),
              "svc.json:2:6: error: Wrong. [BAD]\n"
              "    \"a\": 1\n"
              "       ^\n"
              "  fix: fix it\n");
}

TEST(DiagRender, LeavesThePlaceOutWhereThereIsNone) {
    Finding finding = at(0, 0);
    finding.severity = Severity::warning;
    finding.fix.clear();
    EXPECT_EQ(render(finding, "svc.json", "{}", false), "svc.json: warning: Wrong. [BAD]\n");
}

TEST(DiagRender, CountsTabsAndCharactersNotBytes) {
    EXPECT_EQ(render(at(1, 5), "f", "\t\"\xC3\xA9\":1", false),
              "f:1:5: error: Wrong. [BAD]\n   \"\xC3\xA9\":1\n      ^\n  fix: fix it\n");
}

TEST(DiagRender, CutsLongLinesAroundTheColumn) {
    const std::string text = std::string(500, 'a') + "X" + std::string(500, 'b');
    const std::string shown = render(at(1, 501), "f", text, false);
    const std::size_t line = shown.find("\n  ") + 1;
    const std::size_t caret = shown.find('^');
    const std::size_t caret_line = shown.rfind('\n', caret) + 1;
    EXPECT_EQ(shown[line + (caret - caret_line)], 'X');
    EXPECT_LT(shown.size(), 300U);
}

TEST(DiagRender, SurvivesPlacesBehindTheText) {
    EXPECT_EQ(render(at(9, 9), "f", "{}", false),
              "f:9:9: error: Wrong. [BAD]\n  \n  ^\n  fix: fix it\n");
}

TEST(DiagRender, ColoursOnWish) {
    EXPECT_NE(render(at(1, 1), "f", "{}", true).find("\033["), std::string::npos);
    EXPECT_EQ(render(at(1, 1), "f", "{}", false).find("\033["), std::string::npos);
}

}  // namespace
