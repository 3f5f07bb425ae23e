// The PostgreSQL regular expressions that a document may give as ECMAScript's.
#include "emit/openapi/pattern.hpp"

#include <gtest/gtest.h>

namespace svc::emit {
namespace {

TEST(Pattern, MakesATextThatMatches) {
    const std::pair<const char*, const char*> kCases[] = {
        {"^[A-Z0-9-]+$", "A"}, {"^[0-9]{8,15}$", "00000000"},
        {"^(ab|cd)x?$", "ab"}, {"^(?:a|b)\\d{2,}$", "a00"},
        {"a.c", "aac"},        {"^\\+[1-9]\\d*$", "+1"},
        {"[a-z][-x]", "a-"},   {"^x{0}y*?z$", "z"},
    };
    for (const auto& [pattern, example] : kCases) {
        EXPECT_EQ(portable_example(pattern).value_or("none"), example) << pattern;
    }
}

TEST(Pattern, LeavesToPostgresqlWhatIsItsOwn) {
    const char* const kCases[] = {
        "[[:alpha:]]+", "\\y\\w+\\y", "(?i)abc", "***=a.b", "(?=a)",   "[^a]",  "[]a]",
        "\\1",          "a{",         "é+",      "a**",     "[a-\\d]", "[z-a]", "(",
        "a|",           "x{256}",     "\\m",     "\\",      "[a",
    };
    for (const char* pattern : kCases) EXPECT_FALSE(portable_example(pattern)) << pattern;
}

TEST(Pattern, BoundsItsDepth) { EXPECT_FALSE(portable_example(std::string(100000, '('))); }

}  // namespace
}  // namespace svc::emit
