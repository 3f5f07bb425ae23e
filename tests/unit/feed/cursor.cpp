#include "feed/cursor.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

Caller caller_named(std::string names) {
    Caller caller;
    caller.names = std::move(names);
    return caller;
}

class FeedCursorTest : public testing::Test {
  protected:
    FeedCursorTest() { cursors.set_epoch("app"); }
    CursorSealer cursors{"secret"};
    const std::string mark = mark_of(caller_named("guest"), "contract");
};

TEST_F(FeedCursorTest, comes_back_as_it_was_handed_out) {
    const std::string id = cursors.seal("1:5:2,3/9:9:/17") + mark;
    const auto opened = cursors.open(id, mark);
    EXPECT_EQ(opened.reset, Reset::none);
    EXPECT_EQ(opened.cursor, "1:5:2,3/9:9:/17");
    EXPECT_EQ(id.find("1:5"), id.npos) << "numbers of transactions do not show";
    EXPECT_EQ(id.find_first_of(" \r\n&+%"), id.npos) << "it stands in a header and in an address";
}

TEST_F(FeedCursorTest, another_process_of_the_app_opens_it) {
    CursorSealer other("secret");
    other.set_epoch("app");
    EXPECT_EQ(other.open(cursors.seal("7:7:") + mark, mark).cursor, "7:7:");
}

TEST_F(FeedCursorTest, of_another_database_it_is_no_cursor) {
    CursorSealer restored("secret");
    restored.set_epoch("app_g2");
    const auto opened = restored.open(cursors.seal("7:7:") + mark, mark);
    EXPECT_EQ(opened.reset, Reset::restored);
    EXPECT_EQ(opened.cursor, "");
}

TEST_F(FeedCursorTest, who_reads_as_another_has_missed_something) {
    const std::string id = cursors.seal("7:7:") + mark;
    for (const std::string& other : {mark_of(caller_named("guest,clerk"), "contract"),
                                     mark_of(caller_named("guest"), "the next contract")})
        EXPECT_EQ(cursors.open(id, other).reset, Reset::rights_changed);
}

TEST_F(FeedCursorTest, what_is_no_id_of_ours_is_no_cursor) {
    const std::string id = cursors.seal("7:7:") + mark;
    for (const std::string& wrong : {std::string(), std::string("~"), std::string("a.b~c"),
                                     id.substr(1), CursorSealer("another").seal("7:7:") + mark})
        EXPECT_EQ(cursors.open(wrong, mark).reset, Reset::cursor_too_old) << wrong;
    EXPECT_EQ(cursors.open(cursors.seal("7:7:"), mark).reset, Reset::rights_changed);
}

}  // namespace
}  // namespace svc::feed
