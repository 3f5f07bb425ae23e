// Tables with more rows than the limit are read and written while indexes are built and constraints
// validated.
#include <future>

#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class LargeTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        target_.limits.large_rows = 0;
        plan_ = product();
        plan_.tables[0].columns.push_back(column("stock", "bigint"));
        ASSERT_TRUE(apply(plan_).ok);
        query(
            "insert into public.product (title, stock) select 't' || n, n from "
            "generate_series(1, 20) n");
    }
    void add_constraint(const std::string& name, const std::string& definition) {
        plan_.tables[0].constraints.push_back(
            {name, "alter table public.product add constraint " + name + " " + definition,
             "/entities/0", ""});
    }
    void add_index() {
        plan_.tables[0].indexes.push_back(
            {"product_title_idx", "create index product_title_idx on public.product (title)",
             "/entities/0", ""});
    }
    std::string invalid() {
        return query(
            "select count(*) from pg_index x join pg_class c on c.oid = x.indexrelid where "
            "not x.indisvalid");
    }
    std::string unvalidated() {
        return query("select count(*) from pg_constraint where not convalidated");
    }
    void expect_settled(std::int64_t version) {
        EXPECT_TRUE(run_deferred(target_).empty());
        EXPECT_EQ(invalid(), "0");
        EXPECT_EQ(unvalidated(), "0");
        EXPECT_EQ(query("select count(*) from svc.pending"), "0");
        const auto again = apply(plan_, version);
        EXPECT_TRUE(again.ok) << described(again);
        EXPECT_TRUE(again.changes.empty()) << again.changes.front().sql;
        EXPECT_TRUE(again.findings.all().empty()) << described(again);
    }
    // Until another connection waits to build an index.
    void await_build() {
        while (query("select count(*) from pg_stat_progress_create_index where phase like "
                     "'waiting%'") == "0") {
            std::this_thread::yield();
        }
    }

    plan::Plan plan_;
};

TEST_F(LargeTest, indexes_and_validation_come_after_the_swap) {
    add_index();
    add_constraint("product_stock_min", "check (stock >= 0)");
    plan_.tables[0].columns[1].not_null = true;
    const auto result = apply(plan_, 2);
    ASSERT_TRUE(result.ok) << described(result);
    std::vector<std::string> after;
    for (const auto& change : result.changes) {
        if (change.when == When::after) after.emplace_back(base::word(change.kind));
    }
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after,
              (std::vector<std::string>{"create_index", "set_not_null", "validate_constraint"}));
    EXPECT_EQ(query("select to_regclass('product_title_idx') is null"), "t");
    EXPECT_EQ(unvalidated(), "2");
    // New rows must fit at once.
    EXPECT_THROW(query("insert into public.product (title, stock) values ('a', -1)"),
                 pqxx::check_violation);
    EXPECT_THROW(query("insert into public.product (title) values (null)"), pqxx::check_violation);
    // What is deferred is not done twice.
    const auto again = apply(plan_, 3);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_EQ(pending(target_).size(), 3U);
    expect_settled(4);
    EXPECT_EQ(query("select attnotnull from pg_attribute where attrelid = "
                    "'public.product'::regclass and attname = 'title'"),
              "t");
}

TEST_F(LargeTest, foreign_keys_are_validated_after) {
    plan_.tables[0].columns.push_back(column("parent_id", "uuid"));
    add_constraint("product_parent_id_fkey",
                   "foreign key (parent_id) references public.product (id)");
    ASSERT_TRUE(apply(plan_, 2).ok);
    EXPECT_EQ(unvalidated(), "1");
    expect_settled(3);
}

TEST_F(LargeTest, unique_is_built_before_while_rows_are_written) {
    add_constraint("product_title_key", "unique (title)");
    pqxx::connection slow(target_.url);
    auto holder = std::make_unique<pqxx::work>(slow);
    holder->exec("insert into public.product (title) values ('slow')");
    auto result = std::async(std::launch::async, [&] { return apply(plan_, 2); });
    await_build();
    query("set lock_timeout = '10s'; insert into public.product (title) values ('quick')");
    EXPECT_EQ(query("select count(*) from public.product"), "21");
    holder->commit();
    const auto done = result.get();
    ASSERT_TRUE(done.ok) << described(done);
    EXPECT_EQ(done.changes.front().when, When::before);
    EXPECT_EQ(query("select contype from pg_constraint where conname = 'product_title_key'"), "u");
    expect_settled(3);
}

TEST_F(LargeTest, a_build_of_a_migration_that_fails_goes_again) {
    add_constraint("product_title_key", "unique (title)");
    plan::ServedEntity entity;
    entity.name = "product";
    entity.get = {"product_get", "select missing from public.product", {}};
    plan_.entities = {entity};
    EXPECT_EQ(only(apply(plan_, 2)).code, "STATEMENT_INVALID");
    EXPECT_EQ(query("select count(*) from pg_class where relname like 'svc_build%'"), "0");
    plan_.entities.clear();
    query("insert into public.product (title) values ('t1')");
    EXPECT_EQ(only(apply(plan_, 2)).code, "ROWS_IN_THE_WAY");
    EXPECT_EQ(query("select count(*) from pg_class where relname like 'svc_build%'"), "0");
}

TEST_F(LargeTest, a_build_that_was_broken_off_is_taken_up_while_rows_are_written) {
    add_index();
    ASSERT_TRUE(apply(plan_, 2).ok);
    pqxx::connection slow(target_.url);
    auto holder = std::make_unique<pqxx::work>(slow);
    holder->exec("insert into public.product (title) values ('slow')");
    auto broken = std::async(std::launch::async, [&] { run_deferred(target_); });
    await_build();
    query("set lock_timeout = '10s'; update public.product set stock = 0");
    interrupt(target_);
    EXPECT_THROW(broken.get(), pqxx::broken_connection);
    holder->commit();
    EXPECT_EQ(invalid(), "1");
    EXPECT_EQ(pending(target_).size(), 1U);
    expect_settled(3);
}

TEST_F(LargeTest, what_rows_do_not_let_be_done_is_told_and_done_later) {
    plan_.tables[0].columns.push_back(column("code", "text"));
    add_constraint("product_code_key", "unique (code)");
    ASSERT_TRUE(apply(plan_, 2).ok);
    query("update public.product set code = 'same' where stock < 3");
    const auto id = query("select id from public.product where stock = 1");
    const auto left = run_deferred(target_);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].table, "product");
    EXPECT_NE(left[0].error.find(id), std::string::npos) << left[0].error;
    query("update public.product set code = stock");
    expect_settled(3);
    EXPECT_EQ(query("select contype from pg_constraint where conname = 'product_code_key'"), "u");
}

TEST_F(LargeTest, what_leaves_the_contract_is_not_done_any_more) {
    const auto before = plan_;
    add_index();
    add_constraint("product_stock_min", "check (stock >= 0)");
    plan_.tables[0].columns[1].not_null = true;
    ASSERT_TRUE(apply(plan_, 2).ok);
    plan_ = before;
    ASSERT_TRUE(apply(plan_, 3).ok);
    EXPECT_TRUE(pending(target_).empty());
    EXPECT_EQ(query("select count(*) from pg_constraint where contype = 'c' and conrelid = "
                    "'public.product'::regclass"),
              "0");
    expect_settled(4);
}

TEST_F(LargeTest, a_migration_does_not_wait_for_what_is_deferred) {
    add_index();
    ASSERT_TRUE(apply(plan_, 2).ok);
    pqxx::connection slow(target_.url);
    auto holder = std::make_unique<pqxx::work>(slow);
    holder->exec("insert into svc.seed values ('x', 'x', gen_random_uuid(), '')");
    holder->exec("select * from public.product");
    auto running = std::async(std::launch::async, [&] { run_deferred(target_); });
    // It holds no rows of this table, but its transaction is old.
    while (query("select count(*) from pg_stat_progress_create_index") == "0" &&
           !pending(target_).empty()) {
        std::this_thread::yield();
    }
    holder.reset();
    plan_.tables[0].columns.push_back(column("note", "text"));
    const auto result = apply(plan_, 3);
    EXPECT_TRUE(result.ok) << described(result);
    try {
        running.get();
    } catch (const pqxx::broken_connection&) {
    }
    expect_settled(4);
}

std::vector<std::string> rewritten(const Result& result) {
    std::vector<std::string> out;
    for (const Change& change : result.changes) {
        if (change.rewrites > 0)
            out.push_back(std::string(base::word(change.kind)) + " " + change.column);
    }
    std::size_t warnings = 0;
    for (const auto& finding : result.findings.all()) warnings += finding.code == "TABLE_REWRITTEN";
    EXPECT_EQ(warnings, out.size());
    return out;
}

TEST_F(LargeTest, what_writes_all_rows_anew_is_told) {
    const auto file = [&] { return query("select pg_relation_filenode('product')"); };
    plan_.tables[0].columns[2].sql_type = "numeric";
    plan_.tables[0].columns.push_back(column("twice", "bigint"));
    plan_.tables[0].columns.back().generated_sql = "3";
    plan_.tables[0].columns.push_back(column("plain", "bigint"));
    plan_.tables[0].columns.back().default_sql = "7";
    const auto before = file();
    const auto result = apply(plan_, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(rewritten(result),
              (std::vector<std::string>{"alter_type stock", "add_column twice"}));
    EXPECT_NE(file(), before);
    target_.limits.large_rows = 100'000;
    plan_.tables[0].columns[2].sql_type = "bigint";
    EXPECT_EQ(rewritten(preview(plan_, target_)), std::vector<std::string>{});
}

TEST_F(LargeTest, what_is_only_held_to_less_is_not_written_anew) {
    query(
        "alter table public.product add weight numeric(10, 2) default 1.5, add code varchar(9) "
        "default 'a'");
    const auto file = query("select pg_relation_filenode('product')");
    plan_.tables[0].columns.push_back(column("weight", "numeric"));
    plan_.tables[0].columns.push_back(column("code", "text"));
    plan_.tables[0].columns.push_back(column("plain", "bigint"));
    plan_.tables[0].columns.back().default_sql = "7";
    const auto result = apply(plan_, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(rewritten(result), std::vector<std::string>{});
    EXPECT_EQ(query("select pg_relation_filenode('product')"), file);
    EXPECT_EQ(query("select weight::text || code || plain from public.product limit 1"), "1.50a7");
}

}  // namespace
}  // namespace svc::migrate
