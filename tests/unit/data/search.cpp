#include "data/search/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace svc::data {
namespace {

TEST(SearchWords, KeepWhatMeansSomething) {
    EXPECT_EQ(search::search_words("  green \t tea\n"), "green tea");
    EXPECT_EQ(search::search_words("\"green tea\" -black or e-mail"),
              "\"green tea\" -black or e-mail");
    EXPECT_EQ(search::search_words("- -- tea ---"), "tea");
    EXPECT_EQ(search::search_words("a --b"), "a -b");
    EXPECT_EQ(search::search_words(std::string("a\0b", 3)), "a b");
    EXPECT_EQ(search::search_words(std::string(5000, '-')), "");
    std::string brackets;
    for (int i = 0; i < 100; ++i) brackets += "-(";
    EXPECT_EQ(std::ranges::count(search::search_words(brackets), '-'), 20);
    EXPECT_EQ(search::search_words("well-to-do").size(), 10U);
    std::string wide;
    for (int i = 0; i < 2000; ++i) wide += "é";
    EXPECT_EQ(search::search_words(wide).size(), 2000U);
}

}  // namespace
}  // namespace svc::data
