#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kFirst = "00000000-0000-7000-8000-000000000001";
constexpr const char* kSecond = "00000000-0000-7000-8000-000000000002";

TEST_F(MigrateTest, what_commits_says_which_apply_it_was) {
    ASSERT_TRUE(migrate::apply(product(), target_, {1, "{}", "h", "/bin/app", kFirst, 4}).ok);
    EXPECT_EQ(query("select concat_ws(' ', apply_id, fence) from svc.contract"),
              std::string(kFirst) + " 4");
}

TEST_F(MigrateTest, an_apply_that_was_overtaken_does_not_commit) {
    ASSERT_TRUE(migrate::apply(product(), target_, {1, "{}", "h", "/bin/app", kFirst, 4}).ok);
    query("update svc.contract set fence = 9 returning fence");
    EXPECT_THROW(migrate::apply(product(), target_, {2, "{}", "i", "/bin/new", kSecond, 8}),
                 std::runtime_error);
    EXPECT_EQ(query("select concat_ws(' ', version, apply_id, fence) from svc.contract"),
              "1 " + std::string(kFirst) + " 9");
    EXPECT_TRUE(migrate::apply(product(), target_, {2, "{}", "i", "/bin/new", kSecond, 9}).ok);
}

}  // namespace
}  // namespace svc::migrate
