#include "feed/page.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>

#include "unit/app_database.hpp"

namespace svc::feed {
namespace {

class FeedPageTest : public testing::Test {
  protected:
    void SetUp() override {
        if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database.emplace();
        pool.emplace(io, db::PoolSettings{.url = database->url()});
    }

    template <class Result>
    Result run(Task<Result> work) {
        std::optional<Result> out;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr error, Result result) {
            if (error) std::rethrow_exception(error);
            out = std::move(result);
        });
        io.restart();
        while (!out) io.run_one_for(std::chrono::milliseconds(100));
        return *out;
    }

    void changed(const std::string& table, const std::string& before, const std::string& after) {
        database->sql("insert into svc.change_" +
                      database->sql("select slot from svc.change_slot") +
                      " (table_name, event, row_id, old, new) values ('" + table +
                      "', 'updated', svc.new_id(), " + before + ", " + after + ")");
    }

    asio::io_context io;
    std::optional<test::AppDatabase> database;
    std::optional<db::Pool> pool;
};

TEST(FeedPage, knows_what_was_there_to_read) {
    EXPECT_EQ((Page{.next = "9:9:"}).until(), "9:9:");
    EXPECT_EQ((Page{.next = "1:1:/5:9:6,7/12"}).until(), "5:9:6,7");
}

// Another try would come to the same, for ever.
TEST_F(FeedPageTest, what_takes_longer_than_a_statement_may_is_told_as_no_longer_kept) {
    const std::string cursor = run(read_cursor(*pool));
    database->sql(
        "create or replace function svc.cut_behind(p_present pg_snapshot, p_since pg_snapshot,"
        " p_newest bigint) returns pg_snapshot language sql as 'select p_present from "
        "pg_sleep(60)'");
    database->sql(
        "do $$ begin execute format('alter database %I set statement_timeout = ''100ms''',"
        " current_database()); end $$");
    pool.emplace(io, db::PoolSettings{.url = database->url()});
    EXPECT_EQ(run(read_page(*pool, cursor, {.tables = "{}"})).fault, Page::too_old);
}

TEST_F(FeedPageTest, rows_of_tables_that_nobody_reads_are_not_read) {
    const std::string cursor = run(read_cursor(*pool));
    changed("heard", "null", R"('{"n":1}')");
    changed("unheard", R"('{"n":1}')", R"('{"n":2}')");
    changed("unheard", R"('{"n":2}')", "null");
    const Page page = run(read_page(*pool, cursor, {.tables = "{heard,other}"}));
    ASSERT_EQ(page.records.size(), 3U);
    EXPECT_EQ(page.records[0].before, "");
    EXPECT_EQ(page.records[0].after, R"({"n":1})");
    EXPECT_EQ(page.records[1].before, kNotRead);
    EXPECT_EQ(page.records[1].after, kNotRead);
    EXPECT_EQ(page.records[2].before, kNotRead);
    EXPECT_EQ(page.records[2].after, "")
        << "what was deleted and what was made is still told apart";
    EXPECT_EQ(run(read_page(*pool, cursor, {.tables = "{}"})).records[0].after, kNotRead);
}

// A stream that comes back after a day reads what it asked for, and not what all others did.
TEST_F(FeedPageTest, of_what_nobody_asked_for_there_are_no_records) {
    const std::string cursor = run(read_cursor(*pool));
    for (const char* topic : {"app:news", "app:other"})
        database->sql("select svc.publish('" + std::string(topic) + "', '1')");
    changed("heard", "null", R"('{"n":1}')");
    changed("unheard", "null", R"('{"n":1}')");
    const auto told = [&](const std::string& tables, const std::string& topics) {
        std::string out;
        const Page page = run(read_page(*pool, cursor, {.tables = tables, .topics = topics}));
        for (const PageRecord& record : page.records) out += record.table + record.topic + ' ';
        return out;
    };
    EXPECT_EQ(told("{heard}", R"({"app:news"})"), "app:news heard ");
    EXPECT_EQ(told("{}", R"({"app:other"})"), "app:other ");
    EXPECT_EQ(told("{}", "{}"), "");
}

TEST_F(FeedPageTest, a_page_has_no_more_bytes_than_were_asked_for_but_one_record) {
    std::string cursor = run(read_cursor(*pool));
    for (int i = 0; i < 3; ++i) changed("heard", "null", "to_json(repeat('x', 1000))");
    const auto count = [&](std::size_t bytes) {
        return run(read_page(*pool, cursor, {.bytes = bytes, .tables = "{heard}"})).records.size();
    };
    EXPECT_EQ(count(10), 1U);
    EXPECT_EQ(count(1500), 2U);
    EXPECT_EQ(count(100000), 3U);
}

TEST_F(FeedPageTest, a_database_that_was_made_anew_has_another_epoch) {
    const std::string epoch = run(read_epoch(*pool));
    EXPECT_EQ(run(read_epoch(*pool)), epoch);
    database->sql("alter schema svc rename to before; create schema svc");
    db::Pool fresh(io, {.url = database->url()});
    EXPECT_NE(run(read_epoch(fresh)), epoch);
}

}  // namespace
}  // namespace svc::feed
