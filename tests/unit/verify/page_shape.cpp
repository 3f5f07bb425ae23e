// What of a page decides whether a browser has to look at it again.
#include "verify/page/page_shape.hpp"

#include <gtest/gtest.h>

namespace svc::devapi::verification {
namespace {

TEST(PageShape, LeavesOutWhatEachOpeningChanges) {
    EXPECT_EQ(page_shape("<p>Paid on 3 May</p> <a href=\"/o/0198b6a0-0000-7000-8000-00000000ffff?"
                         "b2.cursor=abC_1&amp;x=17#b2\">SO-12</a>"),
              page_shape("<p>Paid on 14 June</p> <a href=\"/o/3f2504e0-4f89-41d3-9a0c-0305e82c3301?"
                         "b2.cursor=zz&amp;x=3#b2\">SO-9</a>"));
    EXPECT_EQ(page_shape("<main data-live=\"order\" data-live-at=\"ynoLjw3q.auTh~b\">"),
              page_shape("<main data-live=\"order\" data-live-at=\"ynoLjw3q.Swtl~c\">"));
    EXPECT_EQ(page_shape("<html data-build=\"ab\"><script nonce=\"x>1\" src=\"/assets/a1.js\">"),
              page_shape("<html data-build=\"cd\"><script nonce=\"y\" src=\"/assets/a1.js\">"));
}

TEST(PageShape, KeepsWhatABrowserMayJudgeOtherwise) {
    const auto differ = [](const char* one, const char* other) {
        EXPECT_NE(page_shape(one), page_shape(other)) << one;
    };
    differ("<button>Save</button>", "<button> </button>");
    differ("<img alt=\"\">", "<img>");
    differ("<p><b>x</b></p>", "<p><i>x</i></p>");
    differ("<script src=\"/assets/a1.js\">", "<script src=\"/assets/a2.js\">");
    differ("<link href=\"/assets/a1.css\">", "<link href=\"/assets/a2.css\">");
    differ("<div data-component=\"A\" data-props=\"{&quot;n&quot;:1}\">",
           "<div data-component=\"A\" data-props=\"{&quot;n&quot;:2}\">");
    differ("<a title=\"a>b\">x", "<a title=\"a>c\">x");
}

TEST(PageShape, TakesPagesThatEndInTheMiddle) {
    for (const char* html :
         {"", "<", "<a", "<a href=\"", "<a nonce=\"x", "x", "<a href=\"?cursor="})
        EXPECT_LE(page_shape(html).size(), std::string(html).size()) << html;
}

}  // namespace
}  // namespace svc::devapi::verification
