#include <gtest/gtest.h>

#include "migrate/diff/holes.hpp"

namespace svc::migrate {
namespace {

std::string with(std::string_view sql) { return fill_placeholder(sql, ":data_role", "\"r\""); }

TEST(Placeholders, are_filled_outside_of_quotes_alone) {
    EXPECT_EQ(with("grant select on t to :data_role"), "grant select on t to \"r\"");
    EXPECT_EQ(with("check (a = ':data_role')"), "check (a = ':data_role')");
    EXPECT_EQ(with("(a = 'it''s :data_role') to :data_role"), "(a = 'it''s :data_role') to \"r\"");
    EXPECT_EQ(with("\":data_role\" to :data_role;"), "\":data_role\" to \"r\";");
    EXPECT_EQ(with("as $svc$ ':data_role $svc $svc1$ $svc$; to :data_role"),
              "as $svc$ ':data_role $svc $svc1$ $svc$; to \"r\"");
    EXPECT_EQ(with("-- it's :data_role\nto :data_role"), "-- it's :data_role\nto \"r\"");
    EXPECT_EQ(with("$1 = ':data_role' or $2"), "$1 = ':data_role' or $2");
    EXPECT_EQ(with("an open 'quote :data_role"), "an open 'quote :data_role");
}

}  // namespace
}  // namespace svc::migrate
