#include <gtest/gtest.h>

#include "page/html/html.hpp"

namespace svc::page {
namespace {

TEST(PageHtml, BrokenUtf8BecomesTheReplacementCharacter) {
    Html out;
    out << std::string_view("\xC3<\xFF");
    EXPECT_EQ(out.str(), "\uFFFD&lt;\uFFFD");
}

TEST(PageHtml, AnAttributeHoldsAnyText) {
    Html out;
    out << "<p";
    out.attribute("title", "\"'<&>\x01") << ">";
    EXPECT_EQ(out.str(), "<p title=\"&quot;&#39;&lt;&amp;&gt;\">");
}

TEST(PageHtml, OnlyWhatMeansSomethingIsReplaced) {
    Html out;
    out << std::string_view("a\tb\nc\rd\x7F–<é>&\xF0\x9F\x98\x80'\xE2\x82");
    EXPECT_EQ(out.str(), "a\tb\ncd–&lt;é&gt;&amp;\xF0\x9F\x98\x80&#39;\uFFFD\uFFFD");
}

}  // namespace
}  // namespace svc::page
