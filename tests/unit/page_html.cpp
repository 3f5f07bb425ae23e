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

}  // namespace
}  // namespace svc::page
