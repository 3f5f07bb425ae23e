// The one function of an app's database that belongs to the data role.
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class CallerRightsTest : public MigrateTest {
  protected:
    std::string owner_of_exec() {
        return query("select pg_get_userbyid(proowner) from pg_proc where proname = 'exec'");
    }
    bool owner_may() {
        return query("select has_schema_privilege('" + target_.owner_role +
                     "', 'svc_as', 'usage')"
                     " and has_function_privilege('" +
                     target_.owner_role + "', 'svc_as.exec(text, jsonb)', 'execute')") == "t";
    }
    bool data_may_look() {
        return query("select has_schema_privilege('" + target_.data_role +
                     "', 'svc_as', 'usage')"
                     " or has_schema_privilege('" +
                     target_.data_role + "', 'svc_as', 'create')") == "t";
    }
    // Who is not a superuser, as on a server of an operator's.
    std::string plain_admin() {
        const std::string name = query("select current_database() || '_admin'");
        query("create role " + name + " login createrole");
        for (const auto& role : {target_.owner_role, target_.data_role, target_.system_role})
            query("grant " + role + " to " + name);
        return name;
    }
};

TEST_F(CallerRightsTest, it_belongs_to_the_data_role_which_cannot_reach_it) {
    ASSERT_TRUE(apply(product()).ok);
    EXPECT_EQ(owner_of_exec(), target_.data_role);
    EXPECT_TRUE(owner_may());
    EXPECT_FALSE(data_may_look());
}

TEST_F(CallerRightsTest, an_apply_makes_it_where_a_copy_lacks_it_or_has_it_as_somebody_elses) {
    ASSERT_TRUE(apply(product()).ok);
    query("drop schema svc_as cascade");
    ASSERT_TRUE(apply(product(), 2).ok);
    EXPECT_EQ(owner_of_exec(), target_.data_role);
    query("alter function svc_as.exec owner to current_user");
    ASSERT_TRUE(apply(product(), 3).ok);
    EXPECT_EQ(owner_of_exec(), target_.data_role);
    EXPECT_TRUE(owner_may());
    EXPECT_FALSE(data_may_look());
}

TEST_F(CallerRightsTest, an_administrator_who_is_no_superuser_can_make_it) {
    const std::string admin = plain_admin();
    Target target = target_;
    const auto user = target.url.find("user=");
    ASSERT_NE(user, std::string::npos);
    target.url = target.url.substr(0, user) + "user=" + admin;
    const auto result = migrate::apply(product(), target, {1, "{}", "hash", "/bin/app"});
    EXPECT_TRUE(result.ok) << described(result);
    EXPECT_EQ(owner_of_exec(), target_.data_role);
    query("drop role " + admin);
}

}  // namespace
}  // namespace svc::migrate
