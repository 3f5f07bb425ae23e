#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

using Value = plan::SeedRow::Value;

plan::SeedRow tea(const std::string& title) {
    plan::SeedRow row;
    row.entity = "product";
    row.key = "tea";
    row.hash = "hash of " + title;
    row.columns = {"title"};
    row.values = {Value{false, title, "", ""}};
    row.path = "/seeds/product/0";
    return row;
}

TEST_F(MigrateTest, seeds_are_made_once_and_follow_the_contract) {
    auto plan = product();
    plan.seed_rows = {tea("Green tea")};
    ASSERT_TRUE(apply(plan).ok) << described(apply(plan));
    ASSERT_TRUE(apply(plan, 2).ok);
    EXPECT_EQ(query("select count(*) from public.product"), "1");
    query("update public.product set title = 'mine' returning id");
    ASSERT_TRUE(apply(plan, 3).ok);
    EXPECT_EQ(query("select title from public.product"), "mine");
    plan.seed_rows = {tea("Black tea")};
    ASSERT_TRUE(apply(plan, 4).ok);
    EXPECT_EQ(query("select title from public.product"), "Black tea");
    plan.seed_rows.clear();
    ASSERT_TRUE(apply(plan, 5).ok);
    EXPECT_EQ(query("select count(*) from public.product"), "1");
}

TEST_F(MigrateTest, seeds_refer_to_accounts_and_to_rows_after_them) {
    auto plan = product();
    plan.tables[0].columns.push_back(column("user_id", "uuid"));
    plan.tables[0].columns.push_back(column("parent_id", "uuid"));
    plan.seed_users = {{"ann", "Ann@example.test", "Ann", "customer", false}};
    auto child = tea("Sencha");
    child.key = "sencha";
    child.columns = {"title", "user_id", "parent_id"};
    child.values = {Value{false, "Sencha", "", ""}, Value{false, "", "@users", "ann"},
                    Value{false, "", "product", "tea"}};
    plan.seed_rows = {child, tea("Tea")};
    const auto result = apply(plan);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select a.email || p.title from public.product c join public.product p on "
                    "p.id = c.parent_id join svc.account a on a.id = c.user_id"),
              "ann@example.testTea");
    EXPECT_EQ(query("select password_hash is null from svc.account"), "t");
}

TEST_F(MigrateTest, a_clock_in_a_seed_tells_the_time_of_the_seeding) {
    auto plan = product();
    plan.tables[0].columns.push_back(column("seen_at", "timestamptz"));
    auto row = tea("Green tea");
    row.columns = {"title", "seen_at"};
    row.values = {Value{false, "Green tea", "", ""}, Value{false, "now()", "", "", "now()"}};
    plan.seed_rows = {row};
    ASSERT_TRUE(apply(plan).ok) << described(apply(plan));
    EXPECT_EQ(
        query("select seen_at between now() - interval '1 hour' and now() from public.product"),
        "t");
    const std::string first = query("select seen_at from public.product");
    ASSERT_TRUE(apply(plan, 2).ok);
    EXPECT_EQ(query("select seen_at from public.product"), first);
}

TEST_F(MigrateTest, seed_of_a_taken_address_gives_no_rights) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    query(
        "insert into svc.account (email, persona) values ('ann@example.test', 'customer') "
        "returning "
        "id");
    plan.seed_users = {{"ann", "ann@example.test", "Ann", "manager", true}};
    ASSERT_TRUE(apply(plan, 2).ok);
    EXPECT_EQ(query("select persona || is_admin from svc.account"), "customerfalse");
    // Nor does another version of the seed.
    plan.seed_users[0].name = "Ann B.";
    ASSERT_TRUE(apply(plan, 3).ok);
    EXPECT_EQ(query("select name || persona || is_admin from svc.account"), "customerfalse");
    // With another address it is somebody else.
    plan.seed_users[0].email = "ann.b@example.test";
    ASSERT_TRUE(apply(plan, 4).ok);
    EXPECT_EQ(query("select string_agg(email || persona || is_admin, ' ' order by id) from "
                    "svc.account"),
              "ann@example.testcustomerfalse ann.b@example.testmanagertrue");
}

TEST_F(MigrateTest, accounts_that_a_seed_made_follow_it) {
    auto plan = product();
    plan.seed_users = {{"ann", "ann@example.test", "Ann", "customer", false}};
    ASSERT_TRUE(apply(plan).ok);
    plan.seed_users[0].persona = "manager";
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select persona from svc.account"), "manager");
    // Under another key it is still the seed's own.
    plan.seed_users[0].key = "anne";
    ASSERT_TRUE(apply(plan, 3).ok);
    plan.seed_users[0].is_admin = true;
    ASSERT_TRUE(apply(plan, 4).ok);
    EXPECT_EQ(query("select persona || is_admin from svc.account"), "managertrue");
}

TEST_F(MigrateTest, refused_seeds_are_findings_at_their_rows) {
    auto plan = product();
    plan.routines.push_back(
        {plan::Routine::Kind::function, "product_rules", "",
         "create function svc.product_rules() returns trigger language plpgsql as "
         "$$ begin raise exception 'No tea today.' using errcode = 'SV422'; end $$",
         "drop function if exists svc.product_rules() cascade"});
    plan.routines.push_back(
        {plan::Routine::Kind::trigger, "product_rules", "product",
         "create trigger product_rules before insert on public.product for each "
         "row when (new.title like '%tea') execute function svc.product_rules()",
         "drop trigger if exists product_rules on public.product"});
    auto other = tea("Coffee");
    other.key = "coffee";
    plan.seed_rows = {other, tea("Green tea")};
    const auto result = apply(plan);
    EXPECT_EQ(only(result).code, "SEED_REFUSED");
    EXPECT_EQ(only(result).message, "No tea today.");
    EXPECT_EQ(only(result).path, "/seeds/product/0");
    EXPECT_EQ(query("select to_regclass('public.product') is null"), "t");
}

}  // namespace
}  // namespace svc::migrate
