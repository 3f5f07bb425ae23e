#include <gtest/gtest.h>

#include "page/html.hpp"

namespace svc::page {
namespace {

TEST(PageHtml, JsonOfAScriptElementCannotEndIt) {
    Html out;
    out.inert_json("{\"a\":\"</script><!-- & \u2028\u2029 é\"}");
    EXPECT_EQ(out.str(),
              "{\"a\":\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028\\u2029 \u00e9\"}");
}

TEST(PageHtml, BrokenUtf8BecomesTheReplacementCharacter) {
    Html out;
    out.inert_json("\"\xC3<\xFF\"");
    EXPECT_EQ(out.str(), "\"\uFFFD\\u003c\uFFFD\"");
}

TEST(PageHtml, AnAttributeHoldsAnyText) {
    Html out;
    out << "<p";
    out.attribute("title", "\"'<&>\x01") << ">";
    EXPECT_EQ(out.str(), "<p title=\"&quot;&#39;&lt;&amp;&gt;\">");
}

}  // namespace
}  // namespace svc::page
