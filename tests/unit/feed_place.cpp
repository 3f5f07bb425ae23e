#include "feed/place.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

Caller caller_named(std::string names) {
    Caller caller;
    caller.names = std::move(names);
    return caller;
}

class FeedPlaceTest : public testing::Test {
  protected:
    FeedPlaceTest() { places.set_epoch("app"); }
    Places places{"secret"};
    const std::string mark = mark_of(caller_named("guest"), "contract");
};

TEST_F(FeedPlaceTest, comes_back_as_it_was_handed_out) {
    const std::string id = places.seal("1:5:2,3/9:9:/17") + mark;
    const auto opened = places.open(id, mark);
    EXPECT_EQ(opened.reset, Reset::none);
    EXPECT_EQ(opened.cursor, "1:5:2,3/9:9:/17");
    EXPECT_EQ(id.find("1:5"), id.npos) << "numbers of transactions do not show";
    EXPECT_EQ(id.find_first_of(" \r\n&+%"), id.npos) << "it stands in a header and in an address";
}

TEST_F(FeedPlaceTest, another_process_of_the_app_opens_it) {
    Places other("secret");
    other.set_epoch("app");
    EXPECT_EQ(other.open(places.seal("7:7:") + mark, mark).cursor, "7:7:");
}

TEST_F(FeedPlaceTest, of_another_database_it_is_no_place) {
    Places restored("secret");
    restored.set_epoch("app_g2");
    const auto opened = restored.open(places.seal("7:7:") + mark, mark);
    EXPECT_EQ(opened.reset, Reset::restored);
    EXPECT_EQ(opened.cursor, "");
}

TEST_F(FeedPlaceTest, who_reads_as_another_has_missed_something) {
    const std::string id = places.seal("7:7:") + mark;
    for (const std::string& other : {mark_of(caller_named("guest,clerk"), "contract"),
                                     mark_of(caller_named("guest"), "the next contract")})
        EXPECT_EQ(places.open(id, other).reset, Reset::rights_changed);
}

TEST_F(FeedPlaceTest, what_is_no_id_of_ours_is_no_place) {
    const std::string id = places.seal("7:7:") + mark;
    for (const std::string& wrong : {std::string(), std::string("~"), std::string("a.b~c"),
                                     id.substr(1), Places("another").seal("7:7:") + mark})
        EXPECT_EQ(places.open(wrong, mark).reset, Reset::cursor_too_old) << wrong;
    EXPECT_EQ(places.open(places.seal("7:7:"), mark).reset, Reset::rights_changed);
}

}  // namespace
}  // namespace svc::feed
