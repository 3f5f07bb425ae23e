#include "page/form/pattern_words.hpp"

#include <gtest/gtest.h>

namespace svc::page {
namespace {

TEST(PatternWords, NameTheCharactersOfAClass) {
    EXPECT_EQ(pattern_words("^[A-Z0-9-]+$"), "Use only A to Z, 0 to 9 and -.");
    EXPECT_EQ(pattern_words("^[0-9]*$"), "Use only 0 to 9.");
    EXPECT_EQ(pattern_words("^[a-z _é]+$"), "Use only a to z, spaces, _ and é.");
}

TEST(PatternWords, AreNoneWhereThePatternSaysMore) {
    for (const char* pattern : {"^[0-9]{8,15}$", "^[^a]+$", "[a-z]+", "^[a-z]+$|x", "^[\\d]+$",
                                "^[[:alpha:]]+$", "^[a][b]+$", "^[]+$", ""})
        EXPECT_EQ(pattern_words(pattern), "") << pattern;
}

}  // namespace
}  // namespace svc::page
