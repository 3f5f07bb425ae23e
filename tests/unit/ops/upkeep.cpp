#include "ops/upkeep.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <functional>
#include <thread>

#include "unit/app_database.hpp"

namespace svc::ops {
namespace {

TEST(OpsUpkeep, changes_are_thrown_away_again_and_again) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    const std::string old =
        "insert into svc." +
        database.sql("select 'change_' || (slot + 1) % 4 from svc.change_slot") +
        " (table_name, event, row_id) select 'x', 'created', svc.new_id()";
    asio::io_context io;
    db::Pool system(io, {.url = database.url()});
    asio::co_spawn(io, keep_up(io, system, std::chrono::milliseconds(5)), asio::detached);
    for (int round = 0; round < 2; ++round) {
        database.sql(old);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (database.sql("select count(*) from svc.change") != "0") {
            ASSERT_LT(std::chrono::steady_clock::now(), end);
            io.run_for(std::chrono::milliseconds(20));
        }
    }
}

// App servers of one app, each with its own connections: a row is purged once, and none twice asked
// for.
TEST(OpsUpkeep, two_servers_purge_deleted_rows_at_the_same_time) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    database.sql(
        "insert into svc.keep_time (table_name, keep) values ('x', interval '1 day'), ('y', null)");
    const auto deleted = [&database](const char* table, const char* age, int rows) {
        database.sql("insert into svc.deleted (table_name, row_id, deleted_at, held) select '" +
                     std::string(table) + "', gen_random_uuid(), now() - interval '" + age +
                     "', '{}' from generate_series(1, " + std::to_string(rows) + ")");
    };
    deleted("x", "2 days", 35'000);  // more than both take at once
    deleted("x", "1 hour", 10);
    deleted("y", "2 years", 10);
    const auto kept = [&database](const std::string& where) {
        return database.sql("select count(*) from svc.deleted" + where);
    };
    const auto server = [&database](asio::io_context& io) {
        db::Pool system(io, {.url = database.url()});
        asio::co_spawn(io, keep_up(io, system, std::chrono::milliseconds(1)), asio::detached);
        io.run();
    };
    asio::io_context one, other;
    std::thread first(server, std::ref(one)), second(server, std::ref(other));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (kept(" where table_name = 'x' and deleted_at < now() - interval '1 day'") != "0" &&
           std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    one.stop();
    other.stop();
    first.join();
    second.join();
    EXPECT_EQ(kept(" where table_name = 'x'"), "10");
    EXPECT_EQ(kept(" where table_name = 'y'"), "10");
    EXPECT_EQ(
        database.sql("select deadlocks from pg_stat_database where datname = current_database()"),
        "0");
}

}  // namespace
}  // namespace svc::ops
