#include <future>

#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kInsert = "insert into public.product (title) values ";

TEST_F(MigrateTest, makes_a_new_database) {
    const auto result = apply(product(), 7);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_FALSE(result.changes.empty());
    EXPECT_EQ(query("select version from svc.contract"), "7");
    EXPECT_EQ(query("select relrowsecurity from pg_class where relname = 'product'"), "t");
    EXPECT_EQ(query("select tableowner from pg_tables where tablename = 'product'"),
              target_.owner_role);
    EXPECT_EQ(query("set role " + target_.data_role + "; select count(*) from public.product"),
              "0");
}

TEST_F(MigrateTest, does_nothing_the_second_time) {
    ASSERT_TRUE(apply(product()).ok);
    const auto result = apply(product(), 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(result.changes.empty());
    EXPECT_TRUE(preview(product(), target_).changes.empty());
    EXPECT_EQ(query("select version from svc.contract"), "2");
}

TEST_F(MigrateTest, unchanged_plan_waits_for_no_table) {
    ASSERT_TRUE(apply(product()).ok);
    pqxx::connection connection(target_.url);
    pqxx::work holder(connection);
    holder.exec("lock table public.product in access share mode");
    EXPECT_TRUE(apply(product(), 2).ok);
}

TEST_F(MigrateTest, preview_changes_nothing) {
    const auto result = preview(product(), target_);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(result.changes.front().kind, ChangeKind::create_table);
    EXPECT_EQ(query("select to_regclass('public.product') is null"), "t");
}

TEST_F(MigrateTest, adds_and_renames_columns_and_keeps_rows) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    query(kInsert + std::string("('tea') returning id"));
    plan.tables[0].columns[1] = column("name", "text");
    plan.tables[0].columns[1].renamed_from = "title";
    auto stock = column("stock", "bigint");
    stock.not_null = true;
    stock.default_sql = "3";
    plan.tables[0].columns.push_back(stock);
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select name || stock from public.product"), "tea3");
    EXPECT_TRUE(apply(plan, 3).changes.empty());
}

TEST_F(MigrateTest, required_field_without_default_is_refused_where_rows_are) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    query(kInsert + std::string("('tea') returning id"));
    auto sku = column("sku", "text");
    sku.not_null = true;
    plan.tables[0].columns.push_back(sku);
    const auto result = apply(plan, 2);
    EXPECT_EQ(only(result).code, "REQUIRED_NEEDS_DEFAULT");
    EXPECT_EQ(only(result).path, "/entities/0/fields/sku");
    EXPECT_EQ(query("select version from svc.contract"), "1");
}

TEST_F(MigrateTest, becoming_required_names_the_rows_without_value) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    const auto id = query(kInsert + std::string("(null) returning id"));
    plan.tables[0].columns[1].not_null = true;
    const auto result = apply(plan, 2);
    EXPECT_EQ(only(result).code, "HAS_NULLS");
    EXPECT_NE(only(result).message.find(id), std::string::npos);
}

TEST_F(MigrateTest, type_changes_where_every_value_casts) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    query(kInsert + std::string("('12') returning id"));
    const auto id = query(kInsert + std::string("('twelve') returning id"));
    plan.tables[0].columns[1].sql_type = "bigint";
    const auto refused = preview(plan, target_);
    EXPECT_EQ(only(refused).code, "CANNOT_CAST");
    EXPECT_NE(only(refused).message.find(id), std::string::npos);
    EXPECT_EQ(only(apply(plan, 2)).code, "CANNOT_CAST");
    query("delete from public.product where title = 'twelve' returning id");
    const auto result = apply(plan, 3);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select title + 1 from public.product"), "13");
}

TEST_F(MigrateTest, decimals_become_whole_numbers_only_where_nothing_is_lost) {
    auto plan = product();
    plan.tables[0].columns[1].sql_type = "numeric(12,2)";
    ASSERT_TRUE(apply(plan).ok);
    query(kInsert + std::string("(1.00), (null) returning id"));
    plan.tables[0].columns[1].sql_type = "bigint";
    ASSERT_TRUE(apply(plan, 2).ok);
    plan.tables[0].columns[1].sql_type = "numeric";
    ASSERT_TRUE(apply(plan, 3).ok);
    query(kInsert + std::string("(1.5) returning id"));
    plan.tables[0].columns[1].sql_type = "bigint";
    EXPECT_EQ(only(apply(plan, 4)).code, "CANNOT_CAST");
}

TEST_F(MigrateTest, type_changes_under_policies_and_generated_columns) {
    auto plan = product();
    plan.routines[1].create =
        "create policy product_select on public.product for select to :data_role using "
        "(title <> '')";
    auto shout = column("shout", "text");
    shout.generated_sql = "title || '!'";
    plan.tables[0].columns.push_back(shout);
    ASSERT_TRUE(apply(plan).ok) << described(apply(plan));
    query(kInsert + std::string("('12') returning id"));
    plan.tables[0].columns[1].sql_type = "bigint";
    plan.tables[0].columns[2].generated_sql = "title::text || '!'";
    plan.routines[1].create =
        "create policy product_select on public.product for select to :data_role using "
        "(title > 0)";
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select shout from public.product"), "12!");
    EXPECT_TRUE(apply(plan, 3).changes.empty());
}

TEST_F(MigrateTest, constraint_names_the_rows_in_its_way) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    const auto id = query(kInsert + std::string("('') returning id"));
    plan.tables[0].constraints = {
        {"product_title_check",
         "alter table public.product add constraint product_title_check check (title <> '')",
         "/entities/0/fields/title"}};
    const auto check = apply(plan, 2);
    EXPECT_EQ(only(check).code, "ROWS_IN_THE_WAY");
    EXPECT_NE(only(check).message.find(id), std::string::npos) << only(check).message;

    query(kInsert + std::string("('') returning id"));
    plan.tables[0].constraints = {
        {"product_title_key",
         "alter table public.product add constraint product_title_key unique (title)",
         "/entities/0/fields/title"}};
    const auto unique = apply(plan, 2);
    EXPECT_EQ(only(unique).code, "ROWS_IN_THE_WAY");
    EXPECT_NE(only(unique).message.find(id), std::string::npos) << only(unique).message;
    EXPECT_EQ(query("select count(*) from pg_constraint where conname like 'product_title%'"), "0");
}

TEST_F(MigrateTest, foreign_key_names_the_rows_in_its_way) {
    auto plan = product();
    plan.tables[0].columns.push_back(column("parent_id", "uuid"));
    ASSERT_TRUE(apply(plan).ok);
    const auto id =
        query("insert into public.product (parent_id) values (gen_random_uuid()) returning id");
    plan.tables[0].constraints = {
        {"product_parent_id_fkey",
         "alter table public.product add constraint product_parent_id_fkey "
         "foreign key (parent_id) references public.product (id)",
         "/entities/0/fields/parent_id"}};
    const auto result = apply(plan, 2);
    EXPECT_EQ(only(result).code, "ROWS_IN_THE_WAY");
    EXPECT_NE(only(result).message.find(id), std::string::npos) << only(result).message;
}

TEST_F(MigrateTest, what_leaves_the_contract_stays_unmanaged) {
    auto plan = product();
    plan.tables[0].columns[1].not_null = true;
    plan.tables[0].constraints = {
        {"product_title_check",
         "alter table public.product add constraint product_title_check check (title <> '')", ""}};
    ASSERT_TRUE(apply(plan).ok);
    query(kInsert + std::string("('tea') returning id"));

    auto without = product();
    without.tables[0].columns.pop_back();
    ASSERT_TRUE(apply(without, 2).ok);
    EXPECT_EQ(query("insert into public.product (title) values (null), ('') returning 1"), "1");
    EXPECT_EQ(query("select count(title) from public.product"), "2");

    const auto empty = apply(plan::Plan{}, 3);
    ASSERT_TRUE(empty.ok) << described(empty);
    EXPECT_EQ(query("select count(*) from public.product"), "3");
    EXPECT_EQ(query("select count(*) from pg_policies where schemaname = 'public'"), "0");
    EXPECT_EQ(query("select has_table_privilege('" + target_.data_role +
                    "', 'public.product', 'select')"),
              "f");
    EXPECT_TRUE(apply(plan::Plan{}, 4).changes.empty());

    const auto back = apply(product(), 5);
    ASSERT_TRUE(back.ok) << described(back);
    EXPECT_EQ(query("select count(*) from pg_policies where schemaname = 'public'"), "1");
}

TEST_F(MigrateTest, changed_function_is_made_anew_with_what_calls_it) {
    auto plan = product();
    ASSERT_TRUE(apply(plan).ok);
    auto& create = plan.routines[0].create;
    create.replace(create.find("true"), 4, "false");
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select count(*) from pg_policies where schemaname = 'public'"), "1");
    query(kInsert + std::string("('tea') returning id"));
    EXPECT_EQ(query("set role " + target_.data_role + "; select count(*) from public.product"),
              "0");
}

TEST_F(MigrateTest, statement_that_does_not_prepare_commits_nothing) {
    auto plan = product();
    plan::ServedEntity entity;
    entity.name = "product";
    entity.get = {"product_get", "select missing from public.product where id = $1", {"uuid"}};
    plan.entities = {entity};
    const auto result = apply(plan);
    EXPECT_EQ(only(result).code, "STATEMENT_INVALID");
    EXPECT_NE(only(result).message.find("product_get"), std::string::npos);
    EXPECT_EQ(query("select to_regclass('public.product') is null"), "t");
}

TEST_F(MigrateTest, two_at_once_both_succeed) {
    const auto plan = product();
    auto other = std::async(std::launch::async, [&] { return apply(plan, 1); });
    const auto mine = apply(plan, 2);
    const auto theirs = other.get();
    EXPECT_TRUE(mine.ok) << described(mine);
    EXPECT_TRUE(theirs.ok) << described(theirs);
}

}  // namespace
}  // namespace svc::migrate
